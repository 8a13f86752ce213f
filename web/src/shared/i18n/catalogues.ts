import type en from './locales/en.json'

export type Catalogue = typeof en

const modules = import.meta.glob<Catalogue>('./locales/*.json', { import: 'default' })

export const DEFAULT_LOCALE = 'en'

/** Languages the page speaks: locale code and its own name for itself. */
export const locales = [{ code: 'en', name: 'English', direction: 'ltr' }] as const

export interface LoadedCatalogue {
  locale: string
  catalogue: Catalogue
}

/** Loads one language alone; English stands in for one we do not have. */
export async function loadCatalogue(locale: string): Promise<LoadedCatalogue> {
  const load = modules[`./locales/${locale}.json`]
  if (load) return { locale, catalogue: await load() }
  const fallback = modules[`./locales/${DEFAULT_LOCALE}.json`]
  if (!fallback) throw new Error('the English catalogue is missing')
  return { locale: DEFAULT_LOCALE, catalogue: await fallback() }
}
