import type { AdminPort, Demo } from '@floe/contracts'
import { createOwnDataList, type Database } from '@floe/db'
import type { RateLimits } from '@floe/limits'
import type { Log } from '@floe/log'
import type { Mailer } from '@floe/mail'
import type { Passwords } from '@floe/secrets'
import { defineService } from '@floe/runtime'
import type { Secrets } from '@floe/secrets'
import { createAccessTokens } from './domain/access-tokens.ts'
import { createAccountPasswords } from './domain/account-passwords.ts'
import { createApiTokens } from './domain/api-tokens.ts'
import { createApprovals } from './domain/approvals.ts'
import { createAttempts } from './domain/attempts.ts'
import { createAuthPort } from './domain/auth-port.ts'
import { createFarewells } from './domain/farewells.ts'
import { addFirstUser } from './domain/first-user.ts'
import { createDeviceCodes } from './domain/device-codes.ts'
import { createDevices } from './domain/devices.ts'
import { createDirectoryAccounts } from './domain/directory.ts'
import { createEmailChanges } from './domain/email-changes.ts'
import { createEmailProofs } from './domain/email-proofs.ts'
import { createInvites } from './domain/invites.ts'
import { createOwnAccounts } from './domain/own-account.ts'
import { createOwnPasswords } from './domain/own-password.ts'
import { createPasskeyChallenges } from './domain/passkey-challenges.ts'
import { createPasskeySignIns } from './domain/passkey-sign-ins.ts'
import { createPasskeys } from './domain/passkeys.ts'
import { createPasswordResets } from './domain/password-resets.ts'
import { createSecondFactors } from './domain/second-factors.ts'
import { createSecondSteps } from './domain/second-step.ts'
import { createSessions } from './domain/sessions.ts'
import { createSignIns } from './domain/sign-in.ts'
import { createSignUps } from './domain/sign-up.ts'
import { createSocialSignIns } from './domain/social.ts'
import { createSocialSignOuts } from './domain/social-sign-outs.ts'
import { createSocialAttempts } from './domain/social-attempts.ts'
import { createTotp } from './domain/totp.ts'
import { createUsers } from './domain/users.ts'
import { createMailConsumers } from './jobs/mails.ts'
import { createPurgeTokensConsumer } from './jobs/purge-tokens.ts'
import { createLdapDirectory } from './providers/ldap-directory.ts'
import { createSocialAdapters, type ProviderUrls } from './providers/social-adapters.ts'
import { createDeviceCodeRoutes } from './routes/device-codes.ts'
import { createOwnUserRoutes } from './routes/own-user.ts'
import { createPasskeyRoutes } from './routes/passkeys.ts'
import { createPasswordRoutes } from './routes/password.ts'
import { createSessionRoutes } from './routes/sessions.ts'
import { createSignInRoutes } from './routes/sign-in.ts'
import { createSocialRoutes } from './routes/social.ts'
import { createTokenRoutes } from './routes/tokens.ts'
import { createTotpRoutes } from './routes/totp.ts'
import { createUserRoutes } from './routes/users.ts'
import { createApiTokenStore } from './stores/api-token-store.ts'
import { createAuditEventStore } from './stores/audit-event-store.ts'
import { createDeviceCodeStore } from './stores/device-code-store.ts'
import { createDirectoryStore } from './stores/directory-store.ts'
import { createEmailChangeStore } from './stores/email-change-store.ts'
import { createIdentityStore } from './stores/identity-store.ts'
import { createLinkStore } from './stores/link-store.ts'
import { createLoginTokenStore } from './stores/login-token-store.ts'
import { createPasskeyStore } from './stores/passkey-store.ts'
import { loadAccessTokenKey } from './stores/secret-store.ts'
import { createSessionStore } from './stores/session-store.ts'
import { storedData } from './stores/stored-data.ts'
import { createTotpStore } from './stores/totp-store.ts'
import { createUserStore } from './stores/user-store.ts'

export { normaliseDirectoryId } from './domain/directory-ids.ts'
export { exportAccounts } from './export/export-accounts.ts'
export {
  findAccounts,
  findDirectoryIds,
  importAccounts,
  type ImportedAccount,
  isImportableProvider,
} from './import/import-accounts.ts'
export { type UnlockedAccount, unlockAccount } from './unlock/unlock-account.ts'
export { migrations } from './stores/migrations.ts'
export { storedData } from './stores/stored-data.ts'
export type { ProviderUrls } from './providers/social-adapters.ts'

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
  /** Whose administrator is there from the start. */
  demo?: Demo | null
  /** The administrator of an installation without accounts. */
  firstUser?: { username: string; email: string; password: string } | null
}

interface AuthDependencies {
  platform: AuthPlatform
  ports: { admin: AdminPort }
}

/** Accounts, ways to sign in, and sessions. Tells every service who sends a request. */
export const authService = defineService({
  name: 'auth',
  paths: ['/api/auth', '/api/oauth', '/api/users', '/api/tokens'],
  needs: ['admin'],
  create: async ({ platform, ports: { admin } }: AuthDependencies) => {
    const parts = await createParts(platform, admin)
    const firstUser = findFirstUser(platform)
    if (firstUser) await addFirstUser(firstUser, { ...platform, ...parts })
    return {
      routes: [
        ...createSignInRoutes(parts),
        ...createSessionRoutes(parts),
        ...createTokenRoutes(parts),
        ...createDeviceCodeRoutes(parts),
        ...createPasswordRoutes(parts),
        ...createTotpRoutes(parts),
        ...createPasskeyRoutes(parts),
        ...createOwnUserRoutes(parts),
        ...createUserRoutes(parts),
        ...createSocialRoutes(parts),
      ],
      consumers: [createPurgeTokensConsumer(parts), ...createMailConsumers(parts)],
      port: {
        ...createAuthPort(parts),
        listOwnData: createOwnDataList(platform.database, storedData),
      },
      stop: () => Promise.resolve(),
    }
  },
})

function findFirstUser({ demo, firstUser = null }: AuthPlatform) {
  if (!demo) return firstUser
  const { username, password } = demo
  return { username, password, email: `${username}@mail.invalid` }
}

async function createParts(platform: AuthPlatform, admin: AdminPort) {
  const { database, limits, secrets, clock } = platform
  const stores = {
    users: createUserStore(database),
    sessionStore: createSessionStore(database),
    loginTokens: createLoginTokenStore(database),
    links: createLinkStore(database),
    emailChanges: createEmailChangeStore(database),
    identities: createIdentityStore(database),
    auditEvents: createAuditEventStore(database),
    passkeyStore: createPasskeyStore(database),
  }
  const totpStore = createTotpStore(database)
  const secret = await loadAccessTokenKey(database.knex)
  const accessTokens = createAccessTokens({ secret, clock })
  const apiTokens = createApiTokens({ store: createApiTokenStore(database), clock })
  const directoryAccounts = createDirectoryAccounts({
    ...{ ...platform, ...stores, admin, directory: createLdapDirectory() },
    directoryStore: createDirectoryStore(database),
  })
  const base = {
    ...platform,
    ...stores,
    admin,
    directoryAccounts,
    passwords: createAccountPasswords({ ...platform, admin }),
    accessTokens,
    attempts: createAttempts({ limits }),
    devices: createDevices({ secrets, clock }),
    challenges: createPasskeyChallenges({ secrets, clock }),
    factors: createSecondFactors({ store: totpStore, secrets, clock }),
    sessions: createSessions({
      ...{ ...platform, admin, store: stores.sessionStore, accessTokens, apiTokens },
      directoryAccounts,
    }),
  }
  const ownPasswords = createOwnPasswords(base)
  const signIns = createSignIns(base)
  const attempts = createSocialAttempts({ secrets, clock })
  const adapters = createSocialAdapters(platform)
  return {
    admin,
    userStore: stores.users,
    apiTokens,
    deviceCodes: createDeviceCodes({
      ...{ ...base, apiTokens, store: createDeviceCodeStore(database) },
    }),
    sessions: base.sessions,
    directoryAccounts,
    signUps: createSignUps(base),
    signIns,
    socialSignOuts: createSocialSignOuts({ ...base, adapters }),
    socialSignIns: createSocialSignIns({ ...base, signIns, attempts, adapters }),
    secondSteps: createSecondSteps(base),
    ownPasswords,
    ownAccounts: createOwnAccounts({ ...base, ownPasswords }),
    emailProofs: createEmailProofs(base),
    emailChanges: createEmailChanges(base),
    passwordResets: createPasswordResets({ ...base, signIns }),
    passkeys: createPasskeys({ ...base, ownPasswords }),
    passkeySignIns: createPasskeySignIns(base),
    totp: createTotp({ ...base, store: totpStore, ownPasswords }),
    users: createUsers(base),
    invites: createInvites(base),
    approvals: createApprovals(base),
    farewells: createFarewells(base),
  }
}
