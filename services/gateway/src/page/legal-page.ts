import { findLegal, findPage, isLegalPage } from '@floe/contracts'
import type { Site } from './site.ts'

/** What a legal page is made of, `null` where nothing was written; `undefined` on other pages. */
export type LegalContent = ReturnType<typeof findLegal> | undefined

export async function readLegalContent(
  path: string,
  site: Pick<Site, 'settings'>,
): Promise<LegalContent> {
  const page = findPage(path)
  return isLegalPage(page) ? findLegal(page, await site.settings()) : undefined
}
