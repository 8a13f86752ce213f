/**
 * Every error code a caller can see, with its HTTP status and its English message.
 * Codes are stable; messages follow the wording existing clients show to people.
 * `phrase` marks the codes whose published `error` field is the HTTP phrase instead of the code.
 */
export const errorCatalogue = {
  // Input
  validation_failed: { status: 400, message: 'The request is not valid', phrase: true },
  invalid_json: { status: 400, message: 'The request body is not valid JSON', phrase: true },
  ambiguous_request: { status: 400, message: 'The request is ambiguous', phrase: true },
  expectation_failed: { status: 417, message: 'The expectation cannot be met', phrase: true },
  request_timeout: {
    status: 408,
    message: 'The request body took too long to arrive',
    phrase: true,
  },
  invalid_path: { status: 400, message: 'The request path is not valid', phrase: true },
  payload_too_large: { status: 413, message: 'request entity too large', phrase: true },
  unsupported_media_type: { status: 415, message: 'Unsupported media type', phrase: true },
  route_not_found: { status: 404, message: 'Cannot find this route', phrase: true },
  method_not_allowed: { status: 405, message: 'Method not allowed', phrase: true },
  // Identity
  unauthorized: { status: 401, message: 'Unauthorized', phrase: true },
  forbidden: { status: 403, message: 'Forbidden resource', phrase: true },
  cross_site_request: { status: 403, message: 'Request came from another site', phrase: true },
  wrong_credentials: { status: 401, message: 'Wrong email or password', phrase: true },
  registration_disabled: { status: 403, message: 'Registration is not allowed', phrase: true },
  email_taken: { status: 400, message: 'A user with this email already exists', phrase: true },
  email_domain_refused: {
    status: 400,
    message: 'Addresses of this domain are not accepted here',
    phrase: true,
  },
  username_taken: {
    status: 400,
    message: 'A user with this username already exists',
    phrase: true,
  },
  password_too_short: {
    status: 400,
    message: 'A password needs at least {length} characters',
    phrase: true,
  },
  password_too_common: { status: 400, message: 'This password is too common', phrase: true },
  last_admin: {
    status: 400,
    message: 'The last administrator cannot be removed or demoted',
    phrase: true,
  },
  invalid_logout_token: { status: 400, message: 'The logout token is not valid' },
  password_sign_in_disabled: {
    status: 403,
    message: 'Sign in with one of the providers: passwords do not count here',
  },
  account_waiting: {
    status: 403,
    message: 'An administrator has to approve your account first',
  },
  second_factor_required: {
    status: 403,
    message: 'Set up a second factor first',
  },
  token_expired: { status: 401, message: 'The login token has expired' },
  totp_already_enabled: { status: 400, message: 'TOTP is already enabled', phrase: true },
  totp_not_in_progress: { status: 400, message: 'TOTP is not being set up', phrase: true },
  totp_not_enabled: { status: 400, message: 'TOTP is not enabled', phrase: true },
  invalid_totp: { status: 400, message: 'Invalid code', phrase: true },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys need the address of this site to be https, with a name',
    phrase: true,
  },
  passkey_refused: { status: 400, message: 'The passkey was not accepted', phrase: true },
  passkey_not_found: { status: 404, message: 'Passkey not found', phrase: true },
  too_many_passkeys: { status: 409, message: 'No more than {count} passkeys', phrase: true },
  invalid_reset_token: { status: 400, message: 'Token invalid or expired', phrase: true },
  recent_sign_in_required: {
    status: 403,
    message: 'Sign in again, then retry within five minutes',
  },
  email_not_verified: {
    status: 403,
    message: 'Open the link sent to your email address first',
  },
  token_invalid: { status: 401, message: 'The token is not valid, or not from here' },
  token_scope: { status: 403, message: 'The token lacks the scope {scope}' },
  token_forbidden: { status: 403, message: 'No token may do this: sign in' },
  token_not_found: { status: 404, message: 'Token not found' },
  webhook_address: { status: 400, message: 'Nothing may be sent to this address' },
  webhook_not_found: { status: 404, message: 'Webhook not found' },
  webhook_delivery_not_found: { status: 404, message: 'Delivery not found' },
  too_many_webhooks: { status: 409, message: 'There are {count} webhooks already; delete some' },
  too_many_tokens: { status: 409, message: 'There are {count} tokens already; revoke some' },
  // Of RFC 8628 and RFC 6749, whose clients read them in `error`.
  authorization_pending: { status: 400, message: 'Nobody has decided yet' },
  slow_down: { status: 400, message: 'Ask less often' },
  access_denied: { status: 400, message: 'The request was refused' },
  expired_token: { status: 400, message: 'The code has expired' },
  invalid_grant: { status: 400, message: 'The code is not valid' },
  invalid_scope: { status: 400, message: 'There are no such scopes: name some of {scopes}' },
  unsupported_grant_type: { status: 400, message: 'The grant type has to be {type}' },
  device_code_not_found: { status: 404, message: 'No request has this code, or not any more' },
  session_not_found: { status: 404, message: 'Session not found', phrase: true },
  social_provider_disabled: {
    status: 403,
    message: 'This sign-in method is not available',
    phrase: true,
  },
  social_check_incomplete: {
    status: 400,
    message: 'The client ID, client secret or address of the provider is missing',
    phrase: true,
  },
  social_check_failed: { status: 400, message: 'The provider could not be reached: {reason}' },
  social_client_rejected: { status: 400, message: 'The provider rejected the client: {reason}' },
  directory_unavailable: {
    status: 503,
    message: 'The directory of accounts cannot be reached. Try again later',
  },
  directory_account: {
    status: 403,
    message: 'This account is kept in a directory. Ask whoever runs it to change it there',
  },
  directory_account_exists: {
    status: 409,
    message: 'Another account has your name or address. Ask an administrator',
  },
  directory_entry_incomplete: {
    status: 403,
    message: 'The directory has no e-mail address for you. Ask whoever runs it',
  },
  directory_check_incomplete: {
    status: 400,
    message: 'The address, the search base or the password of the directory is missing',
  },
  directory_nobody_found: {
    status: 404,
    message: 'The directory finds nobody by this name, or more than one entry',
  },
  directory_check_failed: { status: 400, message: 'The directory could not be asked: {reason}' },
  last_sign_in_method: {
    status: 400,
    message: 'Without this account or a password, you could no longer sign in',
    phrase: true,
  },
  smtp_disabled: { status: 400, message: 'Sending e-mail is not enabled', phrase: true },
  too_many_requests: { status: 429, message: 'ThrottlerException: Too Many Requests' },
  user_not_found: { status: 400, message: 'User not found', phrase: true },
  // Shares
  share_not_found: { status: 404, message: 'Share not found', phrase: true },
  share_removed: { status: 404, message: 'Share removed' },
  share_being_scanned: {
    status: 503,
    message: 'The files of this share are being scanned for viruses. Try again later',
  },
  share_id_taken: { status: 400, message: 'Share id already in use', phrase: true },
  share_expiration_too_long: {
    status: 400,
    message: 'Expiration date exceeds maximum expiration date',
    phrase: true,
  },
  share_needs_end: {
    status: 400,
    message: 'Shares here must end: choose when',
    phrase: true,
  },
  share_needs_password: {
    status: 400,
    message: 'Shares here need a password',
    phrase: true,
  },
  share_needs_recipients: {
    status: 400,
    message: 'Shares here need recipients, and open for them alone',
    phrase: true,
  },
  reverse_share_must_be_private: {
    status: 400,
    message: 'What is sent to you here is for you alone',
    phrase: true,
  },
  too_many_empty_shares: {
    status: 409,
    message: 'Too many unfinished shares without files. Add files to them or try again tomorrow',
    phrase: true,
  },
  share_already_completed: { status: 400, message: 'Share already completed', phrase: true },
  share_encrypted: {
    status: 409,
    message: 'The files and the password of an encrypted share cannot be changed',
  },
  share_never_completed: {
    status: 400,
    message: 'Share was never completed',
    phrase: true,
  },
  share_without_files: {
    status: 400,
    message: 'A share needs at least one file',
    phrase: true,
  },
  share_anonymous_delete: {
    status: 403,
    message: "Anonymous shares can't be deleted",
    phrase: true,
  },
  share_password_required: { status: 403, message: 'This share is password protected' },
  share_recipient_required: { status: 403, message: 'This share opens only for its recipients' },
  invalid_share_code: { status: 403, message: 'This code is not valid' },
  share_token_required: { status: 403, message: 'Share token required' },
  wrong_password: { status: 403, message: 'Invalid password' },
  share_max_views_exceeded: { status: 403, message: 'Maximum views exceeded' },
  private_share: { status: 403, message: 'This share is private' },
  reverse_share_not_found: { status: 404, message: 'Reverse share not found', phrase: true },
  encryption_required: { status: 403, message: 'Shares have to be encrypted here' },
  encryption_disabled: { status: 403, message: 'Shares cannot be encrypted here' },
  reverse_shares_disabled: { status: 403, message: 'Reverse shares are switched off' },
  reverse_share_password_required: {
    status: 403,
    message: 'This reverse share is password protected',
  },
  reverse_share_used_up: { status: 403, message: 'This reverse share has no uses left' },
  reverse_share_busy: {
    status: 409,
    message: 'Too many shares are being sent through this reverse share',
  },
  reverse_share_token_taken: {
    status: 400,
    message: 'Reverse share token already in use',
    phrase: true,
  },
  reverse_share_too_big: {
    status: 400,
    message: 'Max share size exceeds the maximum size of a share',
    phrase: true,
  },
  // Files and uploads
  file_not_found: { status: 404, message: 'File not found', phrase: true },
  file_infected: { status: 403, message: 'This file was removed: it contains a virus' },
  /** 503 and not 409: only then do curl and aria2c come again by themselves. */
  file_not_scanned: { status: 503, message: 'This file is being scanned for viruses' },
  file_too_big_to_scan: {
    status: 403,
    message: 'This file is too big to be scanned for viruses, and cannot be downloaded',
  },
  thumbnail_not_found: { status: 404, message: 'This file has no thumbnail', phrase: true },
  share_locked: { status: 400, message: 'Share is already completed', phrase: true },
  invalid_file_id: { status: 400, message: 'Invalid file ID format', phrase: true },
  file_name_too_long: {
    status: 400,
    message: 'A file name can have at most 255 bytes of UTF-8',
    phrase: true,
  },
  file_id_taken: { status: 400, message: 'File id already in use', phrase: true },
  unexpected_chunk_index: { status: 400, message: 'Unexpected chunk received' },
  chunk_too_large: { status: 413, message: 'request entity too large', phrase: true },
  /** 413 and not 507: clients repeat what fails with 5xx, and repeating does not help here. */
  quota_exceeded: {
    status: 413,
    message: 'Not enough storage is left for this account',
    phrase: true,
  },
  instance_quota_exceeded: {
    status: 413,
    message: 'Not enough storage is left on this server',
    phrase: true,
  },
  share_too_large: { status: 413, message: 'Max share size exceeded', phrase: true },
  /** 503 and not 409: only then do curl and aria2c come again by themselves. */
  archive_not_ready: { status: 503, message: 'The archive is being prepared', phrase: true },
  digests_not_ready: { status: 409, message: 'The checksums are being computed', phrase: true },
  upload_not_found: { status: 404, message: 'Upload not found', phrase: true },
  upload_gone: { status: 410, message: 'Upload is gone', phrase: true },
  upload_offset_conflict: { status: 409, message: 'Upload-Offset does not match', phrase: true },
  upload_length_exceeded: { status: 413, message: 'More bytes than Upload-Length', phrase: true },
  upload_length_conflict: { status: 400, message: 'Upload-Length is already set', phrase: true },
  upload_checksum_mismatch: { status: 460, message: 'Checksum mismatch', phrase: true },
  upload_checksum_unsupported: {
    status: 400,
    message: 'Checksum algorithm is not supported',
    phrase: true,
  },
  upload_interrupted: { status: 423, message: 'Another connection continued this upload' },
  upload_is_final: { status: 403, message: 'A final upload cannot be written to', phrase: true },
  upload_parts_unfinished: {
    status: 400,
    message: 'Concatenation needs finished partial uploads',
    phrase: true,
  },
  tus_version_unsupported: { status: 412, message: 'Tus-Resumable: 1.0.0 is required' },
  storage_full: { status: 507, message: 'Not enough space on the server', phrase: true },
  range_not_satisfiable: { status: 416, message: 'Range not satisfiable', phrase: true },
  // Configuration
  config_variable_not_found: {
    status: 404,
    message: 'Config variable {key} not found',
    phrase: true,
  },
  config_wrong_type: {
    status: 400,
    message: 'Config variable {key} must be of type {type}',
    phrase: true,
  },
  config_out_of_range: {
    status: 400,
    message: 'Config variable {key} is out of range',
    phrase: true,
  },
  config_needs_provider: {
    status: 400,
    message: 'No provider that is switched on works: set one up and try it first',
  },
  config_needs_smtp: {
    status: 400,
    message: 'Config variable {key} needs smtp.enabled',
  },
  config_fixed: {
    status: 409,
    message: "Config variable {key} is set by the server's environment",
    phrase: true,
  },
  logo_not_png: { status: 400, message: 'The logo must be a PNG image', phrase: true },
  logo_damaged: { status: 400, message: 'The logo is cut off or damaged', phrase: true },
  logo_not_square: { status: 400, message: 'The logo must be as wide as it is high', phrase: true },
  logo_animated: { status: 400, message: 'The logo must not be animated', phrase: true },
  logo_too_many_pixels: {
    status: 400,
    message: 'The logo may be at most {edge} pixels wide and high',
    phrase: true,
  },
  logo_too_big: { status: 413, message: 'The logo may have at most {bytes} bytes', phrase: true },
  pictures_unavailable: {
    status: 503,
    message: 'Images cannot be processed at the moment',
    phrase: true,
  },
  // Jobs
  job_not_found: { status: 404, message: 'Job not found', phrase: true },
  job_not_failed: { status: 409, message: 'This job is no longer failed', phrase: true },
  // E-mail
  mail_refused: { status: 400, message: 'The mail server refused the message', phrase: true },
  mail_test_failed: { status: 400, message: 'The test message was not sent: {reason}' },
  mail_unavailable: { status: 502, message: 'The mail server cannot be reached', phrase: true },
  // Server
  upstream_unavailable: { status: 502, message: 'A service is not reachable', phrase: true },
  not_ready: { status: 503, message: 'Starting or stopping', phrase: true },
  internal: { status: 500, message: 'Internal server error', phrase: true },
} as const satisfies Record<string, ErrorEntry>

export interface ErrorEntry {
  status: number
  message: string
  phrase?: true
}

export type ErrorCode = keyof typeof errorCatalogue

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value)
}

export function errorEntry(code: ErrorCode): ErrorEntry {
  return errorCatalogue[code]
}
