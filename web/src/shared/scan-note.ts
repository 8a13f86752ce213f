import type { FileScan } from '@floe/contracts'
import type { TFunction } from 'i18next'

/** What people should know of a file before they open it; null where there is nothing to say. */
export function scanNote(t: TFunction, scan: FileScan | null | undefined): string | null {
  switch (scan?.state) {
    case 'infected':
      return t('share.scan.infected', { threat: scan.threat ?? '' })
    case 'too_big':
      return t('errors.tooBigToScan')
    case 'not_scanned':
    case 'failed':
      return t('share.scan.waiting')
    default:
      return null
  }
}

/** Nobody gets its bytes any more. */
export function isRemoved(scan: FileScan | null | undefined): boolean {
  return scan?.state === 'infected'
}
