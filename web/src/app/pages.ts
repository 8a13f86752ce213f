import { findPage, type PageName, pageRow } from '@floe/contracts'
import type { ComponentType } from 'react'
import { loadRestOfCatalogue } from '../shared/i18n/catalogues.ts'
import type { PageDataSource } from '../shared/page-data.ts'
import { moduleOf, type PageModule } from './page-modules.ts'

interface Arrived {
  Page: ComponentType
  /** Puts what the page shows first into the cache; a failure is left to the page. */
  fetchData?: (source: PageDataSource) => Promise<void>
}

/** Every page is a chunk of its own, fetched when its address is opened or a link to it is near. */
const modules = import.meta.glob<Arrived>('../features/*/pages/*Page.tsx')
const arrived = new Map<PageModule, Arrived>()

export async function loadPage(module: PageModule): Promise<ComponentType> {
  const load = modules[`../features/${module}.tsx`]
  if (!load) throw new Error(`there is no page ${module}`)
  const page = await load()
  arrived.set(module, page)
  return page.Page
}

/** `undefined` while it is on its way. */
export const findArrivedPage = (module: PageModule) => arrived.get(module)?.Page

/** Whether it says more than the frame does, see `frame-sections.ts`. */
export function needsAllTexts(page: PageName | null): boolean {
  return page === null || pageRow(page).texts !== 'frame'
}

/** For a page that has arrived: resolves when it can show what it is about. */
export async function fetchPageData(source: PageDataSource): Promise<void> {
  await arrived.get(moduleOf(findPage(source.path)))?.fetchData?.(source)
}

/**
 * Fetches what an address shows, ahead of its turn, and resolves when all of it has come or failed
 * to: a failure is left to the component that shows it.
 */
export async function preparePage(path: string, locale: string): Promise<void> {
  const page = findPage(path)
  await Promise.allSettled([
    loadPage(moduleOf(page)),
    needsAllTexts(page) ? loadRestOfCatalogue(locale) : null,
  ])
}
