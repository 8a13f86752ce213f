import type { AdminPort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Secrets } from '@floe/secrets'
import type { AccessTokens } from './access-tokens.ts'
import type { SessionStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import { type SocialAdapters, SocialError } from './social-ports.ts'
import { isFilledIn } from './social-settings.ts'
import type { SessionOrigin } from './user.ts'

const PURPOSE = 'id-token'
/** Clocks differ: a session is not taken for a later one because the provider's is behind. */
const CLOCK_TOLERANCE_MS = 60_000

export function sealIdToken(secrets: Secrets, userId: string, idToken: string): Buffer {
  return secrets.seal(PURPOSE, userId, idToken)
}

/** Signing out of an OpenID provider, and being signed out by it. */
export interface SocialSignOuts {
  /** Where a browser that signs out here goes to sign out there; `null` where it need not. */
  departure(accessToken: string | null): Promise<string | null>
  /**
   * Ends what the provider names. A token that is sent again ends nothing more: later sessions than
   * it are none of its. Fails with invalid_logout_token.
   */
  receive(logoutToken: string, origin: SessionOrigin): Promise<void>
}

export interface SocialSignOutsDependencies {
  sessionStore: SessionStore
  accessTokens: AccessTokens
  adapters: SocialAdapters
  secrets: Secrets
  admin: AdminPort
  log: SecurityLog
  clock: () => Date
}

export function createSocialSignOuts(dependencies: SocialSignOutsDependencies): SocialSignOuts {
  const { sessionStore, accessTokens, adapters, secrets, admin, log, clock } = dependencies

  function note(error: unknown): void {
    if (!(error instanceof SocialError)) throw error
    const { code, message } = error
    log.warn({ provider: 'oidc', code, message }, 'the provider could not be asked to sign out')
  }

  return {
    async departure(accessToken) {
      const settings = await admin.settings({})
      if (!settings['oauth.oidc-signOut'] || accessToken === null) return null
      const subject = await accessTokens.verifySignature(accessToken)
      const began = subject && (await sessionStore.findProviderSession(subject.sessionId))
      const idToken = began && secrets.open(PURPOSE, subject.userId, began.sealedIdToken)
      if (!idToken || !isFilledIn(settings, 'oidc')) return null
      const returnTo = `${settings['general.appUrl'].replace(/\/+$/, '')}/`
      try {
        const url = await adapters.adapterOf('oidc', settings).signOutUrl?.({ idToken, returnTo })
        return url?.href ?? null
      } catch (error) {
        // Signed out here all the same.
        note(error)
        return null
      }
    },

    async receive(logoutToken, origin) {
      const settings = await admin.settings({})
      if (!isFilledIn(settings, 'oidc')) throw new AppError('invalid_logout_token')
      try {
        const adapter = adapters.adapterOf('oidc', settings)
        const claims = await adapter.readLogoutToken?.(logoutToken)
        if (!claims) throw new AppError('invalid_logout_token')
        const { issuedAt, ...named } = claims
        const startedBefore = new Date(issuedAt.getTime() + CLOCK_TOLERANCE_MS)
        await sessionStore.endProviderSessions({ ...named, startedBefore, now: clock(), origin })
      } catch (error) {
        if (!(error instanceof SocialError)) throw error
        note(error)
        throw new AppError('invalid_logout_token', { cause: error })
      }
    },
  }
}
