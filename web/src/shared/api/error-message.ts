import type { ErrorCode } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { ApiError } from './api-error.ts'

/** The sentence for each refusal that people can meet; the rest read "unknown error". */
const keys = {
  wrong_credentials: 'errors.wrongCredentials',
  registration_disabled: 'errors.registrationDisabled',
  email_taken: 'errors.emailTaken',
  username_taken: 'errors.usernameTaken',
  forbidden: 'errors.forbidden',
  unauthorized: 'errors.signedOut',
  wrong_password: 'errors.wrongPassword',
  share_id_taken: 'errors.linkTaken',
  share_not_found: 'errors.shareNotFound',
  share_without_files: 'errors.shareWithoutFiles',
  share_too_large: 'errors.shareTooLarge',
  storage_full: 'errors.storageFull',
  share_anonymous_delete: 'errors.anonymousDelete',
  not_ready: 'errors.serverUnreachable',
  upstream_unavailable: 'errors.serverUnreachable',
} as const satisfies Partial<Record<ErrorCode, string>>

type ErrorKey = (typeof keys)[keyof typeof keys]

function keyOf(error: unknown): ErrorKey | 'errors.tooManyRequests' | 'errors.unknown' {
  if (!(error instanceof ApiError)) return 'errors.unknown'
  if (error.status === 0) return 'errors.serverUnreachable'
  if (error.status === 429) return 'errors.tooManyRequests'
  const known: Partial<Record<ErrorCode, ErrorKey>> = keys
  return (error.code && known[error.code]) || 'errors.unknown'
}

/** Turns a failed call into a sentence. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => t(keyOf(error))
}
