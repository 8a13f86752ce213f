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
  },
  'general.showHomePage': { type: 'boolean', default: true, public: true },
  'share.allowRegistration': { type: 'boolean', default: true, public: true },
  'share.allowUnauthenticatedShares': { type: 'boolean', default: false, public: true },
  /** Hours; 0 means unlimited. */
  'share.maxExpiration': { type: 'number', default: 0, public: true, min: 0, max: 1_000_000 },
  /** What the create dialog proposes, in hours: 7 days. */
  'share.defaultExpiration': { type: 'number', default: 168, public: true, min: 1, max: 1_000_000 },
  /** Bytes a share may hold; 0 means as much as the disk holds. */
  'share.maxSize': {
    type: 'number',
    default: 0,
    public: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  },
  'share.zipCompressionLevel': { type: 'number', default: 0, public: false, min: 0, max: 9 },
  /** Bytes of one request of the chunk protocol. */
  'share.chunkSize': {
    type: 'number',
    default: 10_000_000,
    public: true,
    min: 65_536,
    max: 1_000_000_000,
  },
  'share.shareIdLength': { type: 'number', default: 8, public: true, min: 3, max: 50 },
  'email.enableShareEmailRecipients': { type: 'boolean', default: false, public: true },
  'smtp.enabled': { type: 'boolean', default: false, public: true },
} as const satisfies Record<string, ConfigVariable>

export type ConfigVariable =
  | {
      type: 'string' | 'text'
      default: string
      public: boolean
      maxLength: number
      secret?: boolean
    }
  | { type: 'number'; default: number; public: boolean; min: number; max: number }
  | { type: 'boolean'; default: boolean; public: boolean }

export type ConfigKey = keyof typeof configCatalogue

type ValueOf<T> = T extends 'number' ? number : T extends 'boolean' ? boolean : string

/** Effective values: what is stored, else the default. */
export type Settings = { [K in ConfigKey]: ValueOf<(typeof configCatalogue)[K]['type']> }

export function isConfigKey(key: string): key is ConfigKey {
  return Object.hasOwn(configCatalogue, key)
}

export function defaultSettings(): Settings {
  return Object.fromEntries(
    Object.entries(configCatalogue).map(([key, variable]) => [key, variable.default]),
  ) as Settings
}
