import type { Demo, LegalLinks, PublicSettings, Settings, UserView } from '@floe/contracts'
import { createContext, use } from 'react'

export interface Session {
  user: UserView | null
  settings: PublicSettings
  legal: LegalLinks
  /** The version of the logo that an administrator has set; `null` for the product's own. */
  logo: string | null
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
  changeLogo(version: string | null): void
  finishSetup(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('SessionContext is missing')
  return session
}
