import type { ErrorCode } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { ApiError } from './api-error.ts'

/** The sentence for each refusal that people can meet; the rest read "unknown error". */
const keys = {
  validation_failed: 'errors.invalidInput',
  wrong_credentials: 'errors.wrongCredentials',
  registration_disabled: 'errors.registrationDisabled',
  password_sign_in_disabled: 'errors.passwordSignInOff',
  account_waiting: 'errors.accountWaiting',
  email_domain_refused: 'errors.emailDomainRefused',
  email_taken: 'errors.emailTaken',
  username_taken: 'errors.usernameTaken',
  forbidden: 'errors.forbidden',
  unauthorized: 'errors.signedOut',
  wrong_password: 'errors.wrongPassword',
  second_factor_required: 'errors.secondFactorRequired',
  recent_sign_in_required: 'errors.recentSignIn',
  password_too_short: 'errors.passwordTooShort',
  password_too_common: 'errors.passwordTooCommon',
  last_admin: 'errors.lastAdmin',
  invalid_totp: 'errors.invalidCode',
  invalid_share_code: 'errors.invalidCode',
  totp_already_enabled: 'errors.totpAlreadyOn',
  totp_not_in_progress: 'errors.totpNotInProgress',
  totp_not_enabled: 'errors.totpOff',
  passkeys_unavailable: 'errors.passkeysUnavailable',
  passkey_refused: 'errors.passkeyRefused',
  passkey_not_found: 'errors.passkeyNotFound',
  too_many_passkeys: 'errors.tooManyPasskeys',
  config_out_of_range: 'errors.outOfRange',
  config_fixed: 'errors.settingFixed',
  config_needs_provider: 'errors.settingNeedsProvider',
  config_needs_smtp: 'errors.settingNeedsSmtp',
  email_not_verified: 'errors.emailNotVerified',
  too_many_tokens: 'errors.tooManyTokens',
  webhook_address: 'errors.webhookAddress',
  webhook_not_found: 'errors.webhookNotFound',
  webhook_delivery_not_found: 'errors.webhookDeliveryNotFound',
  too_many_webhooks: 'errors.tooManyWebhooks',
  device_code_not_found: 'errors.deviceCode',
  social_check_incomplete: 'errors.socialIncomplete',
  directory_unavailable: 'errors.directoryUnavailable',
  directory_account: 'errors.directoryAccount',
  directory_account_exists: 'errors.directoryAccountExists',
  directory_entry_incomplete: 'errors.directoryIncomplete',
  directory_check_incomplete: 'errors.directoryCheckIncomplete',
  directory_nobody_found: 'errors.directoryNobodyFound',
  share_id_taken: 'errors.linkTaken',
  share_expiration_too_long: 'errors.expirationTooLong',
  share_already_completed: 'errors.shareFinishedElsewhere',
  share_needs_end: 'errors.shareNeedsEnd',
  share_needs_password: 'errors.shareNeedsPassword',
  share_needs_recipients: 'errors.shareNeedsRecipients',
  reverse_share_must_be_private: 'errors.reverseShareMustBePrivate',
  reverse_share_token_taken: 'errors.linkTaken',
  reverse_share_too_big: 'errors.reverseShareTooBig',
  reverse_share_not_found: 'errors.reverseShareNotFound',
  encryption_required: 'errors.encryptionRequired',
  reverse_shares_disabled: 'errors.reverseSharesOff',
  reverse_share_used_up: 'errors.reverseShareUsedUp',
  reverse_share_busy: 'errors.reverseShareBusy',
  reverse_share_password_required: 'errors.reverseSharePassword',
  share_being_scanned: 'errors.beingScanned',
  file_not_scanned: 'errors.beingScanned',
  file_infected: 'errors.fileInfected',
  file_too_big_to_scan: 'errors.tooBigToScan',
  share_encrypted: 'errors.shareEncrypted',
  share_not_found: 'errors.shareNotFound',
  share_without_files: 'errors.shareWithoutFiles',
  too_many_empty_shares: 'errors.tooManyEmptyShares',
  share_too_large: 'errors.shareTooLarge',
  quota_exceeded: 'errors.quotaExceeded',
  instance_quota_exceeded: 'errors.storageFull',
  storage_full: 'errors.storageFull',
  share_anonymous_delete: 'errors.anonymousDelete',
  not_ready: 'errors.serverUnreachable',
  upstream_unavailable: 'errors.serverUnreachable',
} as const satisfies Partial<Record<ErrorCode, string>>

type ErrorKey = (typeof keys)[keyof typeof keys]

function keyOf(error: ApiError): ErrorKey | 'errors.unknown' {
  if (error.status === 0) return 'errors.serverUnreachable'
  const known: Partial<Record<string, ErrorKey>> = keys
  return (error.code && known[error.code]) || 'errors.unknown'
}

/** Turns a failed call into a sentence. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.unknown')
    if (error.status !== 429) return t(keyOf(error))
    return error.retryAfterSeconds === null
      ? t('errors.tooManyRequests')
      : t('errors.tooManyRequestsUntil', { time: format.wait(error.retryAfterSeconds) })
  }
}
