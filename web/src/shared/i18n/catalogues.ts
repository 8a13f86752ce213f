import { DEFAULT_LANGUAGE } from '@floe/contracts'
import type en from './locales/en.json'

export type Catalogue = typeof en

// The build cuts each catalogue in two, see `frame-sections.ts`.
const frames = import.meta.glob<Partial<Catalogue>>('./locales/*.json', { import: 'default' })
const rests = import.meta.glob<Partial<Catalogue>>('./locales/*.json', {
  import: 'default',
  query: '?rest',
})

export interface LoadedCatalogue {
  locale: string
  catalogue: Partial<Catalogue>
}

/** Loads what every page says in one language; English stands in for one we do not have. */
export async function loadFrameCatalogue(locale: string): Promise<LoadedCatalogue> {
  return load(frames, locale)
}

/** Loads what the pages say beyond that. */
export async function loadRestOfCatalogue(locale: string): Promise<LoadedCatalogue> {
  return load(rests, locale)
}

async function load(modules: typeof frames, wanted: string): Promise<LoadedCatalogue> {
  const locale = `./locales/${wanted}.json` in modules ? wanted : DEFAULT_LANGUAGE
  const module = modules[`./locales/${locale}.json`]
  if (!module) throw new Error('the English catalogue is missing')
  return { locale, catalogue: await module() }
}
