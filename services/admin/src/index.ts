import type { AuthPort, Demo, FilePort, SharePort } from '@floe/contracts'
import { createOwnDataList, type Database, type Presence } from '@floe/db'
import type { Log } from '@floe/log'
import type { Mailer } from '@floe/mail'
import { createIconMaker } from '@floe/pictures'
import type { JobQueue } from '@floe/queue'
import { defineService } from '@floe/runtime'
import type { Secrets } from '@floe/secrets'
import { createAuditLog } from './domain/audit-log.ts'
import { createConfigSecrets } from './domain/config-secrets.ts'
import { type Configuration, createConfiguration } from './domain/configuration.ts'
import { type FixedSettings, fixForeignSettings, fixSettings } from './domain/fixed-settings.ts'
import { createLogo } from './domain/logo.ts'
import { createNotices } from './domain/notices.ts'
import { createOverviews } from './domain/overviews.ts'
import { createOwnData } from './domain/own-data.ts'
import { createReleases } from './domain/releases.ts'
import { SETTINGS_CHANNEL } from './domain/settings-cache.ts'
import { createSetup } from './domain/setup.ts'
import { createTestMail } from './domain/test-mail.ts'
import { createConsumers } from './jobs/consumers.ts'
import { createQueuedJobs } from './queued-jobs.ts'
import { createAuditRoutes } from './routes/audit.ts'
import { createConfigRoutes } from './routes/config.ts'
import { createOverviewRoutes } from './routes/overview.ts'
import { createOwnDataRoutes } from './routes/own-data.ts'
import { createWebhookRoutes } from './routes/webhooks.ts'
import { createAuditStore } from './stores/audit-store.ts'
import { createConfigStore } from './stores/config-store.ts'
import { createMetricsStore } from './stores/metrics-store.ts'
import { createNoticeStore } from './stores/notice-store.ts'
import { createLogoStore } from './stores/logo-store.ts'
import { createSetupStore } from './stores/setup-store.ts'
import { storedData } from './stores/stored-data.ts'
import { createAddressGuard } from './webhooks/address-guard.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import { createSender } from './webhooks/send.ts'
import { createWebhookSecrets } from './webhooks/webhook-secrets.ts'
import { createWebhookMails } from './webhooks/webhook-mails.ts'
import { createWebhookStore } from './webhooks/webhook-store.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export { findSettingProblems } from './domain/fixed-settings.ts'
export { importLogo } from './import/import-logo.ts'
export {
  findSettings,
  importSettings,
  type ReadSetting,
  readSetting,
} from './import/import-settings.ts'
export { migrations } from './stores/migrations.ts'
export { storedData } from './stores/stored-data.ts'
export { republishAdminEvents } from './stores/republish-events.ts'

export interface AdminPlatform {
  /** Migrated before the service is used. */
  database: Database
  presence: Pick<Presence, 'listen' | 'notify' | 'onRestored'>
  secrets: Secrets
  mailer: Mailer
  log: Log
  clock: () => Date
  /** Address of this installation, the default of `general.appUrl`. */
  publicUrl?: string | null
  /** Settings that the operator fixed, by key: they hold whatever is stored. */
  settings?: Readonly<Record<string, string | number | boolean>>
  /** As texts of another product; those of `settings` come before them. */
  foreignSettings?: readonly { key: string; value: string }[]
  /** Set up from the start. */
  demo?: Demo | null
  /** Address of the releases: GitHub's API, or a server that speaks it. */
  providerUrls: { githubApi: string }
  /** Where webhooks may be sent though it is not the internet. */
  webhookNetworks: readonly string[]
  /** The same each time; needed only to look at the jobs. */
  openQueue(): Promise<Pick<JobQueue, 'countByName' | 'listFailed' | 'retry'>>
}

interface AdminDependencies {
  platform: AdminPlatform
  ports: { auth: AuthPort; share: SharePort; file: FilePort }
}

/** Settings and the logo, the log of who did what, and how it all goes. */
export const adminService = defineService({
  name: 'admin',
  paths: ['/api/configs', '/api/admin', '/api/webhooks', '/api/users/me/data'],
  needs: ['auth', 'share', 'file'],
  create: async ({ platform, ports: { auth, share, file } }: AdminDependencies) => {
    const { database, mailer, log, clock, providerUrls } = platform
    const configuration = await openConfiguration(platform, auth)
    const iconMaker = createIconMaker({ log })
    const logo = createLogo({ store: createLogoStore(database), iconMaker, clock })
    const setupStore = createSetupStore(database)
    if (platform.demo) await setupStore.finish(clock())
    const setup = createSetup({ store: setupStore, configuration, clock })
    const auditStore = createAuditStore(database)
    const jobs = createQueuedJobs(platform)
    const overviews = createOverviews({
      jobs,
      metrics: createMetricsStore(database),
      auditStore,
      auth,
      share,
      file,
      log,
      clock,
    })
    const releases = createReleases({
      configuration,
      apiUrl: providerUrls.githubApi,
      log,
      clock,
    })
    const webhookStore = createWebhookStore(database)
    const notices = createNotices({
      webhooks: webhookStore,
      store: createNoticeStore(database),
      auditStore,
      configuration,
      jobs,
      releases,
      auth,
      file,
      mailer,
      log,
      clock,
    })
    const guard = createAddressGuard({ allowed: platform.webhookNetworks })
    const webhookSecrets = createWebhookSecrets(platform.secrets)
    const deliveries = createDeliveries({
      ...{ store: webhookStore, secrets: webhookSecrets, auth, log, clock },
      send: createSender({ guard }),
    })
    const webhooks = createWebhooks({
      ...{ store: webhookStore, secrets: webhookSecrets, guard, deliveries, clock },
    })
    const webhookMails = createWebhookMails({ store: webhookStore, configuration, auth, mailer })
    const own = { listOwnData: createOwnDataList(database, storedData) }
    const ownData = createOwnData({ sources: [auth, share, file, own], auditStore, clock })
    const audit = createAuditLog({ store: auditStore, configuration, clock })
    return {
      routes: [
        ...createConfigRoutes({
          configuration,
          sendTestMail: createTestMail({ configuration, mailer, audit: auditStore }),
          logo,
          setup,
          auth,
        }),
        ...createAuditRoutes({ audit, auth, clock }),
        ...createOverviewRoutes({ overviews, releases, notices, auth }),
        ...createWebhookRoutes({ webhooks, auth }),
        ...createOwnDataRoutes({ ownData, auth, clock }),
      ],
      consumers: createConsumers({ audit, notices, overviews, deliveries, webhookMails }),
      port: {
        settings: () => configuration.settings(),
        logo: async () => {
          const { light, dark } = await logo.versions()
          return { version: light, darkVersion: dark }
        },
        setup: async () => ({ isFinished: await setup.isFinished() }),
        icons: async ({ version }) => ({ icons: await logo.icons(version) }),
      },
      stop: () => iconMaker.stop(),
    }
  },
})

/** Is told by other processes of what they change, and tells them. */
async function openConfiguration(
  platform: AdminPlatform,
  auth: Pick<AuthPort, 'hasWorkingProvider'>,
): Promise<Configuration> {
  const { database, presence, secrets, log, clock, publicUrl = null } = platform
  const configuration = createConfiguration({
    store: createConfigStore(database),
    secrets: createConfigSecrets({ secrets, log }),
    overrides: publicUrl === null ? {} : { 'general.appUrl': publicUrl },
    fixed: readFixed(platform),
    clock,
    hasWorkingProvider: async () => (await auth.hasWorkingProvider({})).isThere,
    announce: async () => {
      try {
        await presence.notify(SETTINGS_CHANNEL, '')
      } catch (error) {
        log.warn(
          { err: error },
          'could not notify other processes of changed settings; they reload within a second',
        )
      }
    },
  })
  await presence.listen(SETTINGS_CHANNEL, () => configuration.invalidate())
  presence.onRestored(() => configuration.invalidate())
  return configuration
}

/** What the operator names in the terms of this product comes first. */
function readFixed({ settings = {}, foreignSettings = [], log }: AdminPlatform): FixedSettings {
  const foreign = fixForeignSettings(foreignSettings, (keys) =>
    log.warn({ keys }, 'SETTINGS_FILE names settings that there are not here'),
  )
  return new Map([...foreign, ...fixSettings(settings)])
}
