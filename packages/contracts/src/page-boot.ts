import type { PublicSettings } from './config-catalogue.ts'
import type { ErrorCode } from './errors.ts'
import type { UserView } from './identity.ts'
import type { Language } from './languages.ts'
import type { LegalLinks } from './legal.ts'
import type { SiteStyleVersions } from './site-styles.ts'

/**
 * An installation for trying out. Its data is deleted whenever the time (UTC) is a multiple of
 * `resetEveryMs`, and these credentials are those of its administrator.
 */
export interface Demo {
  username: string
  password: string
  resetEveryMs: number
}

export interface ForeseenShare {
  id: string
  refusal: ErrorCode | null
  /** As far as the refusal tells. */
  isEncrypted?: boolean
}

/** What the page starts with, so that its first paint needs no further request. */
export interface Boot {
  user: UserView | null
  /** Effective values. */
  settings: PublicSettings
  legal: LegalLinks
  styles: SiteStyleVersions
  /** The version of the logo; `null` for the one that the product comes with. */
  logo: string | null
  /** The version of the one for dark pages; `null` where `logo` is on them, too. */
  darkLogo: string | null
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  /** Somebody has signed up already: the next account is no administrator from the start. */
  hasAccounts: boolean
  language: Language
  /** What somebody has chosen, else what the site proposes. */
  colorScheme: 'light' | 'dark' | 'auto'
  version: string
  /** A hint when to renew; in the past for a session that can only be renewed. */
  accessTokenExpiresAt: string | null
  /**
   * On a share's page: why this visitor would be refused, `null` if not at all. It is what the API
   * would respond, told ahead so that the page asks once, and for the right thing. Nothing is
   * counted: link previews and crawlers cost no view.
   */
  share?: ForeseenShare
  /** Elsewhere than in a demo absent. */
  demo?: Demo
}
