import type { FailureReason } from './transfer.ts'

/** Stands for the code of a refusal that is not the server's. */
export const PROXY_REFUSAL = 'refused by a proxy'

/** What the page says to a refusal: its status, and its code as the server names it. */
export function failureOf(status: number, code: string | null): FailureReason {
  if (code === 'quota_exceeded') return 'quotaExceeded'
  if (code === 'instance_quota_exceeded') return 'storageFull'
  if (code === 'file_name_too_long') return 'nameTooLong'
  if (code === PROXY_REFUSAL) return 'refusedByProxy'
  if (code === 'share_too_large') return 'tooLarge'
  if (code === 'share_not_found') return 'shareGone'
  if (status === 404 || status === 410) return 'gone'
  if (status === 413) return 'tooLarge'
  if (status === 507) return 'storageFull'
  if (status === 400 || status === 401 || status === 403) return 'refused'
  // Without a response and without another attempt the file itself could not be read.
  return status === 0 ? 'unreadable' : 'unknown'
}
