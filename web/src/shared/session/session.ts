import type {
  Demo,
  LegalLinks,
  LogoVariant,
  LogoVersions,
  PublicSettings,
  Settings,
  UserView,
} from '@floe/contracts'
import { createContext, use } from 'react'

export interface Session {
  user: UserView | null
  settings: PublicSettings
  legal: LegalLinks
  /** What an administrator has set; without `light` it is the product's own. */
  logos: LogoVersions
  /** Whether the welcome of the first run is over. */
  isSetUp: boolean
  /** Somebody had an account when the page was loaded. */
  hasAccounts: boolean
  version: string
  /** Elsewhere than in a demo absent. */
  demo?: Demo | undefined
  /** Where a visitor who just signed in is going; the guard sends them there. */
  landing: string | null
  signedIn(user: UserView, landing: string): void
  changeUser(user: UserView): void
  changeSettings(settings: Settings): void
  changeLogo(variant: LogoVariant, version: string | null): void
  finishSetup(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('SessionContext is missing')
  return session
}
