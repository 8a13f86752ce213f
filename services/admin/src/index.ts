import type { AuthPort } from '@floe/contracts'
import type { Database } from '@floe/db'
import type { Log } from '@floe/log'
import type { Mailer } from '@floe/mail'
import { defineService } from '@floe/runtime'
import type { Secrets } from '@floe/secrets'
import { createAuditLog } from './domain/audit-log.ts'
import { createConfigSecrets } from './domain/config-secrets.ts'
import { createConfiguration } from './domain/configuration.ts'
import { createTestMail } from './domain/test-mail.ts'
import { createAuditConsumers } from './jobs/audit.ts'
import { createAuditRoutes } from './routes/audit.ts'
import { createConfigRoutes } from './routes/config.ts'
import { createAuditStore } from './stores/audit-store.ts'
import { createConfigStore } from './stores/config-store.ts'

export { migrations } from './stores/migrations.ts'

export interface AdminPlatform {
  /** Migrated before the service is used. */
  database: Database
  secrets: Secrets
  mailer: Mailer
  log: Log
  clock: () => Date
  /** Address of this installation, the default of `general.appUrl`. */
  publicUrl?: string | null
}

interface AdminDependencies {
  platform: AdminPlatform
  ports: { auth: AuthPort }
}

/** Settings that administrators change while the product runs, and the log of who did what. */
export const adminService = defineService({
  name: 'admin',
  paths: ['/api/configs', '/api/admin'],
  needs: ['auth'],
  create: async ({ platform, ports: { auth } }: AdminDependencies) => {
    const { database, secrets, mailer, log, clock, publicUrl = null } = platform
    const configuration = createConfiguration({
      store: createConfigStore(database),
      secrets: createConfigSecrets({ secrets, log }),
      overrides: publicUrl === null ? {} : { 'general.appUrl': publicUrl },
      clock,
    })
    const auditStore = createAuditStore(database)
    const audit = createAuditLog({ store: auditStore, configuration, clock })
    return {
      routes: [
        ...createConfigRoutes({
          configuration,
          sendTestMail: createTestMail({ configuration, mailer, audit: auditStore }),
          auth,
        }),
        ...createAuditRoutes({ audit, auth, clock }),
      ],
      consumers: createAuditConsumers({ audit }),
      port: { settings: () => configuration.settings() },
      stop: () => Promise.resolve(),
    }
  },
})
