import { accountSettings } from './account-settings.ts'
import { antivirusSettings } from './antivirus.ts'
import type { ConfigFormat } from './config-formats.ts'
import { directorySettings } from './directory-settings.ts'
import { DEFAULT_LANGUAGE, languages } from './languages.ts'
import { DEFAULT_CHUNK_BYTES } from './uploads.ts'

/** More than a century. */
export const LONGEST_PERIOD_HOURS = 1_000_000

/**
 * Every setting an administrator can change: drives validation, the public list and the page.
 * `public` settings are readable by anyone; `secret` ones are written, never read back.
 */
export const configCatalogue = {
  'general.appName': { type: 'string', default: 'Floe', public: true, maxLength: 60 },
  'general.appUrl': {
    type: 'string',
    default: 'http://localhost:3000',
    public: true,
    maxLength: 300,
    format: 'base-url',
  },
  'general.showHomePage': { type: 'boolean', default: true, public: true },
  /** Days the audit log keeps its entries, addresses included; 0 means for ever. */
  'general.auditRetention': {
    type: 'number',
    default: 90,
    public: true,
    min: 0,
    max: 36_500,
    unit: 'day',
  },
  /**
   * Public repository whose latest release is told to administrators, and whose source the home
   * page leads to; empty asks nobody and leads nowhere.
   */
  'general.releaseRepository': {
    type: 'string',
    default: '',
    public: true,
    maxLength: 140,
    format: 'repository',
  },
  /** For people who ask for none that there is, and for messages to people who never asked. */
  'general.defaultLanguage': {
    type: 'string',
    default: DEFAULT_LANGUAGE,
    public: true,
    choices: languages,
  },
  /**
   * Whether those who sign up must open a link sent to their address before their first share.
   * Needs `smtp.enabled`.
   */
  'general.requireEmailVerification': { type: 'boolean', default: false, public: true },
  ...accountSettings,
  'share.allowRegistration': { type: 'boolean', default: true, public: true },
  'share.allowUnauthenticatedShares': { type: 'boolean', default: false, public: true },
  /** Hours; 0 means unlimited. */
  'share.maxExpiration': {
    type: 'number',
    default: 0,
    public: true,
    min: 0,
    max: LONGEST_PERIOD_HOURS,
    unit: 'hour',
  },
  /** What the create dialog proposes, in hours: 7 days. */
  'share.defaultExpiration': {
    type: 'number',
    default: 168,
    public: true,
    min: 1,
    max: LONGEST_PERIOD_HOURS,
    unit: 'hour',
  },
  /** Hours that the files of a share are kept after its end, for its owner alone; 0 means none. */
  'share.fileRetentionPeriod': {
    type: 'number',
    default: 0,
    public: false,
    min: 0,
    max: LONGEST_PERIOD_HOURS,
    unit: 'hour',
  },
  /** Bytes a share may hold; 0 means as much as the disk holds. */
  'share.maxSize': {
    type: 'number',
    default: 0,
    public: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'byte',
  },
  /** Bytes all files together may take; 0 means as much as the disk holds. */
  'share.totalStorageLimit': {
    type: 'number',
    default: 0,
    public: false,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'byte',
  },
  /** Bytes the files of one user may take, unless the account has a limit of its own; 0 is none. */
  'share.userStorageLimit': {
    type: 'number',
    default: 0,
    public: false,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    unit: 'byte',
  },
  'share.zipCompressionLevel': { type: 'number', default: 0, public: false, min: 0, max: 9 },
  /** Bytes of one request of the chunk protocol; where it is set, of the page's as well at most. */
  'share.chunkSize': {
    type: 'number',
    default: DEFAULT_CHUNK_BYTES,
    public: true,
    min: 65_536,
    max: 1_000_000_000,
    unit: 'byte',
  },
  'share.shareIdLength': { type: 'number', default: 8, public: true, min: 3, max: 50 },
  /** Shares without an end, where there is no longest expiration. */
  'share.allowNeverExpires': { type: 'boolean', default: true, public: true },
  /** Every share has a password. */
  'share.passwordRequired': { type: 'boolean', default: false, public: true },
  /** Every share opens for its recipients alone. Needs mail to recipients. */
  'share.recipientsOnly': { type: 'boolean', default: false, public: true },
  /** From end to end, which no scanner sees into. With `required` there are no reverse shares. */
  'share.encryption': {
    type: 'string',
    default: 'allowed',
    public: true,
    choices: ['off', 'allowed', 'default', 'required'],
  },
  /** The longest expiration does not bind administrators. */
  'share.adminsMayExceedExpiration': { type: 'boolean', default: false, public: true },
  /** Administrators open shares of others without their password; the audit log tells of each. */
  'share.allowAdminAccessAllShares': { type: 'boolean', default: false, public: true },
  /** `simple`: senders are asked for no more than a name and a note. `off`: none is made or used. */
  'share.reverseShares': {
    type: 'string',
    default: 'on',
    public: true,
    choices: ['on', 'simple', 'off'],
  },
  /** Where the options of a share are not beside its files. */
  'share.autoOpenShareModal': { type: 'boolean', default: false, public: true },
  'email.enableShareEmailRecipients': { type: 'boolean', default: false, public: true },
  /** Recipients respond to the sender (Reply-To), whose name is shown; else to `smtp.email`. */
  'email.shareRecipientsReplyToCreator': { type: 'boolean', default: true, public: false },
  /**
   * `{creator}` is the sender's username or "Someone", `{creatorEmail}` the address or nothing,
   * `{desc}` the note, `{expires}` such as "in 7 days". A line about nothing but a note or an end that
   * a share does not have is left out.
   */
  'email.shareRecipientsSubject': subject('{creator} shared files with you'),
  'email.shareRecipientsMessage': message(
    'Hello,\n\n{creator} shared files with you:\n\n{shareUrl}\n\nNote: {desc}\n\nThe link expires {expires}.',
  ),
  /** To the maker of the reverse share. `{creator}` is the sender's name or "Someone". */
  'email.reverseShareSubject': subject('{creator} sent you files'),
  'email.reverseShareMessage': message(
    'Hello,\n\n{creator} sent you files through your link:\n\n{shareUrl}',
  ),
  /** To creators who want it; `{name}` is the name of the share, or the end of its link. */
  'email.shareDownloadNotificationSubject': subject('Your files were downloaded'),
  'email.shareDownloadNotificationMessage': message(
    'Hello,\n\nYour share {name} was downloaded:\n\n{shareUrl}',
  ),
  /** To the creator of a share with recipients, a day before it ends without a download. */
  'email.shareReminderSubject': subject('Your files have not been downloaded yet'),
  'email.shareReminderMessage': message(
    'Hello,\n\nNobody has downloaded your share {name} yet, and it expires {expires}:\n\n{shareUrl}',
  ),
  /** `{url}` leads to the page for a new password and holds for an hour. */
  'email.resetPasswordSubject': {
    type: 'string',
    default: 'Reset your password',
    public: false,
    maxLength: 200,
  },
  'email.resetPasswordMessage': {
    type: 'text',
    default:
      'Hello,\n\nSomebody asked for a new password for your account. If that was you, choose one here within an hour:\n\n{url}\n\nIf it was not you, you can ignore this message: nothing has changed.',
    public: false,
    maxLength: 10_000,
  },
  'email.inviteSubject': {
    type: 'string',
    default: 'You have been invited',
    public: false,
    maxLength: 200,
  },
  /**
   * `{url}` leads to the page for a first password. A message with `{password}` carries a made-up
   * password instead, and `{url}` leads to the sign-in page. `{email}` is the account's address.
   */
  'email.inviteMessage': {
    type: 'text',
    default:
      'Hello,\n\nAn account was created for you. Choose your password here within a week:\n\n{url}\n\nThen sign in with {email}.',
    public: false,
    maxLength: 10_000,
  },
  'smtp.enabled': { type: 'boolean', default: false, public: true },
  'smtp.allowUnauthorizedCertificates': { type: 'boolean', default: false, public: false },
  'smtp.host': { type: 'string', default: '', public: false, maxLength: 253 },
  /** 465 is TLS from the first byte; any other port may change to it by STARTTLS. */
  'smtp.port': { type: 'number', default: 0, public: false, min: 0, max: 65_535 },
  /**
   * Whether STARTTLS has to succeed, may, or is not tried. `automatic` requires it where there is a
   * username or a password to protect: a relay next door often takes mail without either, and
   * without TLS.
   */
  'smtp.tls': {
    type: 'string',
    default: 'automatic',
    public: false,
    choices: ['automatic', 'required', 'opportunistic', 'none'],
  },
  /** The sender's address. */
  'smtp.email': { type: 'string', default: '', public: false, maxLength: 254, format: 'email' },
  'smtp.username': { type: 'string', default: '', public: false, maxLength: 254 },
  'smtp.password': secretText(1_000),
  'oauth.allowRegistration': { type: 'boolean', default: true, public: false },
  /** People sign in with a provider alone: no password counts, and no passkey by itself. */
  'oauth.disablePassword': { type: 'boolean', default: false, public: true },
  'oauth.ignoreTotp': { type: 'boolean', default: true, public: false },
  'oauth.github-enabled': { type: 'boolean', default: false, public: false },
  'oauth.github-clientId': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.github-clientSecret': secretText(1_000),
  'oauth.google-enabled': { type: 'boolean', default: false, public: false },
  'oauth.google-clientId': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.google-clientSecret': secretText(1_000),
  'oauth.microsoft-enabled': { type: 'boolean', default: false, public: false },
  /** `common`, `organizations`, `consumers`, a domain or a GUID. */
  'oauth.microsoft-tenant': {
    type: 'string',
    default: 'common',
    public: false,
    maxLength: 253,
    format: 'tenant',
  },
  'oauth.microsoft-clientId': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.microsoft-clientSecret': secretText(1_000),
  'oauth.discord-enabled': { type: 'boolean', default: false, public: false },
  /** Only members of this server may sign in; empty lets everyone. */
  'oauth.discord-limitedGuild': { type: 'string', default: '', public: false, maxLength: 100 },
  /** Only users of these ids may sign in, separated by commas; empty lets everyone. */
  'oauth.discord-limitedUsers': { type: 'string', default: '', public: false, maxLength: 2_000 },
  'oauth.discord-clientId': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.discord-clientSecret': secretText(1_000),
  'oauth.oidc-enabled': { type: 'boolean', default: false, public: false },
  'oauth.oidc-discoveryUri': {
    type: 'string',
    default: '',
    public: false,
    maxLength: 1_000,
    format: 'url',
  },
  'oauth.oidc-scope': {
    type: 'string',
    default: 'openid profile email',
    public: false,
    maxLength: 300,
  },
  /** The claim that becomes the username; empty takes preferred_username, nickname or name. */
  'oauth.oidc-usernameClaim': { type: 'string', default: '', public: false, maxLength: 100 },
  /** Signing out here leads on to the provider, to sign out there as well. */
  'oauth.oidc-signOut': { type: 'boolean', default: false, public: false },
  /** Where the claims name roles, as JMESPath; empty asks for none. */
  'oauth.oidc-rolePath': { type: 'string', default: '', public: false, maxLength: 300 },
  /** Without this role nobody signs in; empty lets everybody in. */
  'oauth.oidc-roleGeneralAccess': { type: 'string', default: '', public: false, maxLength: 300 },
  /** Makes administrators, and nobody else is one; empty leaves them as they are. */
  'oauth.oidc-roleAdminAccess': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.oidc-clientId': { type: 'string', default: '', public: false, maxLength: 300 },
  'oauth.oidc-clientSecret': secretText(1_000),
  ...directorySettings,
  ...antivirusSettings,
  'legal.enabled': { type: 'boolean', default: false, public: true },
  /** Markdown, on a page of its own; where there is none, the address leads elsewhere. */
  'legal.imprintText': longText(),
  'legal.imprintUrl': address(),
  'legal.privacyPolicyText': longText(),
  'legal.privacyPolicyUrl': address(),
  /** The shades of the theme follow it; empty is Floe's own. */
  'appearance.accentColor': {
    type: 'string',
    default: '',
    public: true,
    maxLength: 7,
    format: 'color',
  },
  /** For people who have chosen none. */
  'appearance.colorScheme': {
    type: 'string',
    default: 'system',
    public: true,
    choices: ['system', 'light', 'dark'],
  },
  'appearance.customCss': { type: 'text', default: '', public: false, maxLength: 20_000 },
  /** Messages to every administrator; none is sent without `smtp.enabled`. */
  'notices.storage': { type: 'boolean', default: true, public: false },
  'notices.failedJobs': { type: 'boolean', default: true, public: false },
  /** Needs `general.releaseRepository`. */
  'notices.newRelease': { type: 'boolean', default: true, public: false },
  /** Infected files, and a scanner that is away while files wait. */
  'notices.antivirus': { type: 'boolean', default: true, public: false },
  'notices.newAccount': { type: 'boolean', default: false, public: false },
} as const satisfies Record<string, ConfigVariable>

function subject(text: string) {
  return { type: 'string', default: text, public: false, maxLength: 200 } as const
}

function message(text: string) {
  return { type: 'text', default: text, public: false, maxLength: 10_000 } as const
}

/** Anybody may read it, and no page brings it along. */
function longText() {
  return { type: 'text', default: '', public: true, maxLength: 20_000, isLong: true } as const
}

function address() {
  return { type: 'string', default: '', public: true, maxLength: 1_000, format: 'url' } as const
}

function secretText(maxLength: number) {
  return { type: 'string', default: '', public: false, maxLength, secret: true } as const
}

/** What a number counts. People may read and write it in another unit; the wire does not. */
export type ConfigUnit = 'byte' | 'hour' | 'day'

export type ConfigVariable =
  | {
      type: 'string' | 'text'
      default: string
      public: boolean
      maxLength: number
      format?: ConfigFormat
      secret?: boolean
      isLong?: true
    }
  | { type: 'string'; default: string; public: boolean; choices: readonly string[] }
  | {
      type: 'number'
      default: number
      public: boolean
      min: number
      max: number
      unit?: ConfigUnit
    }
  | { type: 'boolean'; default: boolean; public: boolean }

export type ConfigKey = keyof typeof configCatalogue

type ValueOf<V> = V extends { choices: readonly (infer Choice)[] }
  ? Choice
  : V extends { type: 'number' }
    ? number
    : V extends { type: 'boolean' }
      ? boolean
      : string

/** Effective values: what is stored, else the default. */
export type Settings = { [K in ConfigKey]: ValueOf<(typeof configCatalogue)[K]> }

/** What a page may know, and starts with. */
export type PublicSettings = {
  [
    K in ConfigKey as (typeof configCatalogue)[K] extends { public: true; isLong?: never }
      ? K
      : never
  ]: Settings[K]
}

/** Whether a page starts with it. */
export function isPageSetting(key: ConfigKey): boolean {
  const variable: ConfigVariable = configCatalogue[key]
  return variable.public && !('isLong' in variable && variable.isLong)
}

export function isConfigKey(key: string): key is ConfigKey {
  return Object.hasOwn(configCatalogue, key)
}

export function defaultSettings(): Settings {
  return Object.fromEntries(
    Object.entries(configCatalogue).map(([key, variable]) => [key, variable.default]),
  ) as Settings
}
