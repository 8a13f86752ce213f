import { renewalSchema, tokenExpiry } from './access-token.ts'
import type { TokenTabs } from './token-tabs.ts'

export interface TokenRenewal {
  /** Is there a session whose access token can be renewed? */
  hasToken(): boolean
  /** Remembers until when the access token is good; `null` forgets it. */
  recordExpiry(expiresAtMs: number | null): void
  /** Whether there is a new access token now that is good for longer than `marginMs`. */
  renewOnce(marginMs: number): Promise<boolean>
  renewWhenEndingWithin(marginMs: number): Promise<void>
  /** Calls back once the server no longer knows the session. Returns what stops that. */
  onSessionEnd(listener: () => void): () => void
}

export interface TokenRenewalOptions {
  fetch: typeof globalThis.fetch
  now: () => number
  accessTokenExpiresAt: string | null
  tabs: TokenTabs
}

/** Keeps the access token of a session fresh. The token itself is a cookie that no script reads. */
export function createTokenRenewal({
  fetch,
  now,
  accessTokenExpiresAt,
  tabs,
}: TokenRenewalOptions): TokenRenewal {
  let expiresAtMs = accessTokenExpiresAt === null ? null : Date.parse(accessTokenExpiresAt)
  let renewal: Promise<boolean> | null = null
  const endListeners = new Set<() => void>()

  function recordExpiry(newExpiresAtMs: number | null): void {
    expiresAtMs = newExpiresAtMs
    tabs.recordExpiry(newExpiresAtMs)
  }

  /** A newer token than this tab knew of, which another tab has obtained. */
  function adoptNewer(marginMs: number): boolean {
    const newerMs = tabs.readExpiry()
    if (newerMs === null || newerMs <= (expiresAtMs ?? 0) || newerMs - now() <= marginMs) {
      return false
    }
    expiresAtMs = newerMs
    return true
  }

  async function renew(): Promise<boolean> {
    const response = await fetch('/api/auth/token', { method: 'POST' }).catch(() => null)
    if (!response) return false
    if (!response.ok) {
      if (response.status === 401) {
        recordExpiry(null)
        for (const listener of endListeners) listener()
      }
      return false
    }
    const body = renewalSchema.safeParse(await response.json())
    if (!body.success) return false
    recordExpiry(tokenExpiry(body.data.accessToken))
    return true
  }

  // Concurrent callers and tabs share one renewal: the refresh token rotates, so a second call with
  // the old one would count as reuse and end the session.
  function renewOnce(marginMs: number): Promise<boolean> {
    const renewUnlessDone = async () => adoptNewer(marginMs) || (await renew())
    renewal ??= tabs.exclusively(renewUnlessDone).finally(() => {
      renewal = null
    })
    return renewal
  }

  return {
    hasToken: () => expiresAtMs !== null,
    recordExpiry,
    renewOnce,
    async renewWhenEndingWithin(marginMs) {
      if (expiresAtMs !== null && expiresAtMs - now() <= marginMs) await renewOnce(marginMs)
    },
    onSessionEnd(listener) {
      endListeners.add(listener)
      return () => void endListeners.delete(listener)
    },
  }
}
