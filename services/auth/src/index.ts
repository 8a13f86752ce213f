import type { AdminPort } from '@floe/contracts'
import type { Database } from '@floe/db'
import type { RateLimits } from '@floe/limits'
import type { Log } from '@floe/log'
import type { Mailer } from '@floe/mail'
import type { Passwords } from '@floe/passwords'
import { defineService } from '@floe/runtime'
import type { Secrets } from '@floe/secrets'
import { createAccessTokens } from './domain/access-tokens.ts'
import { createAccounts } from './domain/accounts.ts'
import { createAuthPort } from './domain/auth-port.ts'
import { createSessions } from './domain/sessions.ts'
import { createPurgeTokensConsumer } from './jobs/purge-tokens.ts'
import { createAuthRoutes } from './routes/auth.ts'
import { createOwnUserRoutes } from './routes/own-user.ts'
import { loadAccessTokenKey } from './stores/secret-store.ts'
import { createSessionStore } from './stores/session-store.ts'
import { createUserStore } from './stores/user-store.ts'

export { migrations } from './stores/migrations.ts'

/** Where the providers of social login live. */
export interface ProviderUrls {
  github: string
  githubApi: string
  google: string
  microsoft: string
  discord: string
}

export interface AuthPlatform {
  /** Migrated before the service is created. */
  database: Database
  limits: RateLimits
  secrets: Secrets
  passwords: Passwords
  mailer: Mailer
  providerUrls: ProviderUrls
  log: Log
  clock: () => Date
}

interface AuthDependencies {
  platform: AuthPlatform
  ports: { admin: AdminPort }
}

/** Accounts, passwords and sessions; answers everyone's "who is this request". */
export const authService = defineService({
  name: 'auth',
  paths: ['/api/auth', '/api/oauth', '/api/users'],
  needs: ['admin'],
  create: async ({
    platform: { database, passwords, log, clock },
    ports: { admin },
  }: AuthDependencies) => {
    const users = createUserStore(database)
    const sessionStore = createSessionStore(database)
    const secret = await loadAccessTokenKey(database.knex)
    const accessTokens = createAccessTokens({ secret, clock })
    const sessions = createSessions({ store: sessionStore, accessTokens, clock, log })
    const accounts = createAccounts({
      users,
      sessionStore,
      sessions,
      passwords,
      accessTokens,
      admin,
      clock,
    })
    return {
      routes: [
        ...createAuthRoutes({ accounts, sessions }),
        ...createOwnUserRoutes({ accounts, sessions, admin }),
      ],
      consumers: [createPurgeTokensConsumer({ sessions })],
      port: createAuthPort({ accounts, sessions }),
      stop: () => Promise.resolve(),
    }
  },
})
