import {
  findPage,
  formatSize,
  maySee,
  notFoundPage,
  pages,
  type PageName,
  type PageTitleKey,
  type PageView,
  type SharePage,
  visibleName,
} from '@floe/contracts'
import type { i18n } from 'i18next'

/** Whether this visitor stays on the page, as far as the document can tell. */
export function isShown(page: PageName, { boot }: PageView): boolean {
  // A session that has to be renewed is one, until the page finds out.
  const isSignedIn = boot.user !== null || boot.accessTokenExpiresAt !== null
  return maySee(page, { isSignedIn, isAdmin: boot.user?.isAdmin ?? false }, boot.settings)
}

/** `null` where the visitor is led elsewhere. */
export function titleKeyOf(view: PageView): PageTitleKey | null {
  const page = findPage(view.path)
  if (page === null) return notFoundPage.title
  return isShown(page, view) ? pages[page].title : null
}

/** What people call it. */
export function nameOf({ id, contents, preview }: SharePage): string | null {
  const known = contents ?? preview
  return known === null ? null : visibleName(known.name ?? id)
}

interface Measures {
  fileCount: number
  sizeBytes: number
}

export function summaryOf({ fileCount, sizeBytes }: Measures, { t, language }: i18n): string {
  return t('share.summary', { count: fileCount, size: formatSize(sizeBytes, language) })
}
