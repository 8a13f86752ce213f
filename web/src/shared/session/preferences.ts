export type ColorScheme = 'light' | 'dark' | 'system'

export type FolderView = 'list' | 'gallery'

export interface Preferences {
  /** The site proposes one until somebody chooses. */
  colorScheme?: ColorScheme
  locale: string
  /** How folders with pictures are shown; what is in them decides until somebody chooses. */
  folderView?: FolderView
  /** Whether single keys do something; they do until somebody turns that off. */
  shortcuts?: boolean
  /** Whether what is shared is encrypted first; the site proposes it or not until somebody chooses. */
  encrypts?: boolean
  /** The newer version that the administration need not tell of any more. */
  closedRelease?: string
}

const STORAGE_KEY = 'preferences'
const YEAR_SECONDS = 365 * 24 * 60 * 60
const defaults: Preferences = { locale: 'system' }

export function readPreferences(storage: Storage): Preferences {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...defaults, ...stored } : defaults
  } catch {
    return defaults
  }
}

/** The cookies let the server paint the first frame in the same scheme and language. */
export function writePreferences(storage: Storage, preferences: Preferences): void {
  storage.setItem(STORAGE_KEY, JSON.stringify(preferences))
  const { colorScheme } = preferences
  if (colorScheme !== undefined) {
    writeCookie('mantine-color-scheme', colorScheme === 'system' ? 'auto' : colorScheme)
  }
  // Without the cookie the server goes by what the browser asks for.
  if (preferences.locale === 'system') removeCookie('language')
  else writeCookie('language', preferences.locale)
}

export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
}

function removeCookie(name: string): void {
  document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`
}
