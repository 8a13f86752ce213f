import { createHash, randomBytes } from 'node:crypto'
import { defaultSettings, type Settings } from '@floe/contracts'
import { type ConsentDecision, passConsent } from '@floe/testing'
import type { SocialAdapter, SocialProfile } from '../domain/social-ports.ts'

export const APP_URL = 'http://localhost:1'

export function callbackUri(provider: string): string {
  return `${APP_URL}/api/oauth/callback/${provider}`
}

export function settingsWith(changes: Partial<Settings>): Settings {
  return { ...defaultSettings(), 'general.appUrl': APP_URL, ...changes }
}

/** The whole way through an adapter and its provider. */
export async function fetchProfile(
  adapter: SocialAdapter,
  provider: string,
  decision: ConsentDecision,
  alter: (callbackUrl: URL) => void = () => undefined,
): Promise<SocialProfile> {
  const [state, nonce, codeVerifier] = Array.from({ length: 3 }, () =>
    randomBytes(32).toString('base64url'),
  ) as [string, string, string]
  const url = await adapter.authorizationUrl({
    state,
    nonce,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    redirectUri: callbackUri(provider),
  })
  const callbackUrl = await passConsent(url.href, decision)
  alter(callbackUrl)
  return adapter.fetchProfile({ callbackUrl, state, nonce, codeVerifier })
}
