import type { Settings } from '@floe/contracts'
import { z } from 'zod'
import type { SocialAdapter } from '../domain/social-ports.ts'
import { clientCredentials } from '../domain/social-settings.ts'
import { createOAuthClient } from './oauth-client.ts'
import { readEmail } from './profile-text.ts'

const userSchema = z.object({ id: z.int().positive(), login: z.string().min(1).max(200) })
const emailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
)

/** GitHub and GitHub Enterprise. Addresses without a slash at the end. */
export function createGithubAdapter({
  settings,
  url,
  apiUrl,
  timeoutSeconds,
}: {
  settings: Settings
  url: string
  apiUrl: string
  timeoutSeconds: number
}): SocialAdapter {
  const client = createOAuthClient({
    ...clientCredentials(settings, 'github'),
    timeoutSeconds,
    issuer: url,
    authorizationEndpoint: `${url}/login/oauth/authorize`,
    tokenEndpoint: `${url}/login/oauth/access_token`,
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  })
  return {
    authorizationUrl: (request) => client.authorizationUrl(request, 'read:user user:email'),
    tryOut: (redirectUri) => client.tryOut(redirectUri),
    async fetchProfile(response) {
      const accessToken = await client.redeem(response)
      const user = await client.read(userSchema, `${apiUrl}/user`, accessToken)
      // The user itself has a public address at most; most people keep theirs private.
      const emails = await client.read(emailsSchema, `${apiUrl}/user/emails`, accessToken)
      const primary = emails.find((one) => one.primary)
      return {
        issuer: url,
        subject: String(user.id),
        username: user.login,
        email: readEmail(primary?.email),
        isEmailVerified: primary?.verified ?? null,
        roles: null,
        session: null,
      }
    },
  }
}
