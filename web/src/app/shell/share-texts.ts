import {
  countFiles,
  findPage,
  formatSize,
  isLegalPage,
  maySee,
  notFoundPage,
  pages,
  type PageName,
  type PageTitleKey,
  type PageView,
  type SharePage,
  type SharePreview,
} from '@floe/contracts'
import type { i18n } from 'i18next'
import { describeShare } from '../../shared/share/describe-share.ts'

/** Whether this visitor stays on the page, as far as the document can tell. */
export function isShown(page: PageName, { boot }: PageView): boolean {
  // A session that has to be renewed is one, until the page finds out.
  const isSignedIn = boot.user !== null || boot.accessTokenExpiresAt !== null
  return maySee(page, { isSignedIn, isAdmin: boot.user?.isAdmin ?? false }, boot.settings)
}

/** `null` where the visitor is led elsewhere. */
export function titleKeyOf(view: PageView): PageTitleKey | null {
  const page = findPage(view.path)
  const isUnwritten = isLegalPage(page) && view.legalText === undefined
  if (page === null || isUnwritten) return notFoundPage.title
  return isShown(page, view) ? pages[page].title : null
}

/** What people call it, and who sent it where that does not say so; `null` where nothing is known. */
export function describePage({ contents, preview }: SharePage, { t }: i18n) {
  const known = contents ?? preview
  if (known === null) return null
  const { name, senderName: sender } = known
  const { fileCount } = measure(known)
  const isComplete = contents !== null && contents.files.length === fileCount
  const fileNames = isComplete ? contents.files.map((file) => file.name) : null
  return describeShare({ name, sender, fileCount, fileNames }, t)
}

type Measured = Pick<SharePreview, 'fileCount' | 'sizeBytes' | 'coming' | 'isEncrypted'>

/** With what has not arrived yet. */
function measure({ fileCount, sizeBytes, coming, isEncrypted }: Measured) {
  return {
    fileCount: countFiles(fileCount + (coming?.fileCount ?? 0), isEncrypted),
    sizeBytes: sizeBytes + (coming?.sizeBytes ?? 0),
  }
}

export function summaryOf(measured: Measured, { t, language }: i18n): string {
  const { fileCount, sizeBytes } = measure(measured)
  return t('share.summary', { count: fileCount, size: formatSize(sizeBytes, language) })
}
