import type { ComponentType } from 'react'
import { loadRestOfCatalogue } from '../shared/i18n/catalogues.ts'
import { findPage, needsAllTexts, type PageModule } from './addresses.ts'

/** Every page is a chunk of its own, fetched when its address is opened or a link to it is near. */
const modules = import.meta.glob<{ Page: ComponentType }>('../features/*/pages/*Page.tsx')
const arrived = new Map<PageModule, ComponentType>()

export async function loadPage(module: PageModule): Promise<ComponentType> {
  const load = modules[`../features/${module}.tsx`]
  if (!load) throw new Error(`there is no page ${module}`)
  const { Page } = await load()
  arrived.set(module, Page)
  return Page
}

/** `undefined` while it is on its way. */
export const findArrivedPage = (module: PageModule) => arrived.get(module)

/**
 * Fetches what an address shows, ahead of its turn, and resolves when all of it has come or failed
 * to: a failure is left to whoever shows it.
 */
export async function preparePage(path: string, locale: string): Promise<void> {
  const module = findPage(path)
  await Promise.allSettled([
    loadPage(module),
    needsAllTexts(module) ? loadRestOfCatalogue(locale) : null,
  ])
}
