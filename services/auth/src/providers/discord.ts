import type { Settings } from '@floe/contracts'
import { z } from 'zod'
import { type SocialAdapter, SocialError } from '../domain/social-ports.ts'
import { clientCredentials } from '../domain/social-settings.ts'
import { createOAuthClient } from './oauth-client.ts'
import { readEmail } from './profile-text.ts'

const snowflake = z.string().regex(/^\d{1,20}$/)
const userSchema = z.object({
  id: snowflake,
  username: z.string().min(1).max(200),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
})
const guildsSchema = z.array(z.object({ id: snowflake }))

/** Discord, on request only for members of one server. `url` without a slash at the end. */
export function createDiscordAdapter({
  settings,
  url,
  timeoutSeconds,
}: {
  settings: Settings
  url: string
  timeoutSeconds: number
}): SocialAdapter {
  const guildId = settings['oauth.discord-limitedGuild'].trim()
  const userIds = settings['oauth.discord-limitedUsers'].split(/[\s,]+/).filter((id) => id !== '')
  const scope = guildId === '' ? 'identify email' : 'identify email guilds'
  const client = createOAuthClient({
    ...clientCredentials(settings, 'discord'),
    timeoutSeconds,
    issuer: url,
    authorizationEndpoint: `${url}/oauth2/authorize`,
    tokenEndpoint: `${url}/api/v10/oauth2/token`,
  })
  return {
    authorizationUrl: (request) => client.authorizationUrl(request, scope),
    tryOut: (redirectUri) => client.tryOut(redirectUri),
    async fetchProfile(response) {
      const accessToken = await client.redeem(response)
      const user = await client.read(userSchema, `${url}/api/v10/users/@me`, accessToken)
      if (userIds.length > 0 && !userIds.includes(user.id)) {
        throw new SocialError('discord_guild_permission_denied')
      }
      if (guildId !== '') {
        // At most 200 servers a user, which is one page.
        const guilds = `${url}/api/v10/users/@me/guilds`
        const memberOf = await client.read(guildsSchema, guilds, accessToken)
        if (!memberOf.some(({ id }) => id === guildId)) {
          throw new SocialError('discord_guild_permission_denied')
        }
      }
      return {
        issuer: url,
        subject: user.id,
        username: user.username,
        email: readEmail(user.email),
        isEmailVerified: user.verified ?? null,
        roles: null,
        session: null,
      }
    },
  }
}
