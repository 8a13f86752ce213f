import {
  appendEventSql,
  createOwnDataList,
  type Database,
  type Knex,
  type Presence,
} from '@floe/db'
import type { RateLimits } from '@floe/limits'
import type { Log } from '@floe/log'
import type { Mailer } from '@floe/mail'
import type { Passwords } from '@floe/secrets'
import { defineService, type Ports, type Service } from '@floe/runtime'
import { createActivity } from './domain/activity.ts'
import { createAdminOpenings } from './domain/admin-openings.ts'
import { createAttempts } from './domain/attempts.ts'
import { createCreatorAddresses } from './domain/creator-addresses.ts'
import { createDeleteLinks } from './domain/delete-links.ts'
import { createDirectShares } from './domain/direct-shares.ts'
import { createEarlyOpenings } from './domain/early-openings.ts'
import { createEditing } from './domain/editing.ts'
import { createEntrances } from './domain/entrances.ts'
import { createListing } from './domain/listing.ts'
import { createMailDelivery } from './domain/mail-delivery.ts'
import { createNewShares } from './domain/new-shares.ts'
import { createOwnership } from './domain/ownership.ts'
import { createPreviews } from './domain/previews.ts'
import { createRecipientCodes } from './domain/recipient-codes.ts'
import { createRecipients } from './domain/recipients.ts'
import { createPublishedShares } from './domain/published-shares.ts'
import { createReverseShares } from './domain/reverse-shares.ts'
import { createShareAccess } from './domain/share-access.ts'
import { createShareKey } from './domain/share-key.ts'
import { createShareRegister, type ShareRegister } from './domain/share-register.ts'
import { createShareSizes } from './domain/share-sizes.ts'
import { createSharePort } from './domain/share-port.ts'
import { createVisitTokens } from './domain/visit-tokens.ts'
import { createVisits } from './domain/visits.ts'
import { createConsumers } from './jobs/consumers.ts'
import { createMailConsumers } from './jobs/mail-consumers.ts'
import { createReverseShareRoutes } from './routes/reverse-share-routes.ts'
import { createShareRoutes } from './routes/share-routes.ts'
import { createReverseShareStore } from './stores/reverse-share-store.ts'
import { createSecretStore } from './stores/secret-store.ts'
import { createShareCodeStore } from './stores/share-code-store.ts'
import { createShareMailStore } from './stores/share-mail-store.ts'
import { createShareStore } from './stores/share-store.ts'
import { storedData } from './stores/stored-data.ts'
import { createVisitStore } from './stores/visit-store.ts'

export { isReservedShareId } from './domain/share.ts'
export { exportReverseShares, exportShares, type ShareToExport } from './export/export-shares.ts'
export {
  findReverseShares,
  findShares,
  importReverseShares,
  importShares,
  type ImportedReverseShare,
  type ImportedShare,
} from './import/import-shares.ts'
export { migrations } from './stores/migrations.ts'
export { storedData } from './stores/stored-data.ts'

/** The register of shares, readable without permissions, with or without a running share service. */
export function openShareRegister(database: Database): ShareRegister {
  return createShareRegister({ shares: createShareStore(database) })
}

/** What the page of a share says whose files are lost. */
export const FILES_LOST = 'The files of this share were lost'

/** Marks a completed share whose files are lost, so that its page can say so. */
export async function markShareLost({ knex }: Database, shareUid: string): Promise<void> {
  await knex('shares')
    .where({ uid: shareUid })
    .whereNull('removed_reason')
    .update({ removed_reason: FILES_LOST })
}

/** The events whose jobs a restored database has lost with its queue. */
export async function republishShareEvents(trx: Knex.Transaction): Promise<void> {
  await trx.raw(
    appendEventSql('share-mail.owed', {
      payload: "jsonb_build_object('mailId', id)",
      requestId: 'null',
      from: '(select id from share_mails where sent_at is null) as owed',
    }),
  )
}

export interface SharePlatform {
  database: Database
  presence: Pick<Presence, 'instanceKey'>
  limits: RateLimits
  passwords: Passwords
  mailer: Mailer
  log: Log
  clock: () => Date
}

type Needs = 'auth' | 'file' | 'admin'

/** Shares: who may read them, who may change them, and when they end. */
export const shareService = defineService<'share', Needs, SharePlatform>({
  name: 'share',
  paths: ['/api/shares', '/api/reverseShares'],
  needs: ['auth', 'file', 'admin'],
  create: async ({ platform, ports }) => createShareService(platform, ports),
})

function createShareService(
  platform: SharePlatform,
  { auth, file: files, admin }: Pick<Ports, Needs>,
): Service<'share'> {
  const { database, presence, limits, passwords, mailer, clock, log } = platform
  const { knex } = database
  const shares = createShareStore(database)
  const reverseShareStore = createReverseShareStore({ knex })
  const visitStore = createVisitStore({ knex })
  const mails = createShareMailStore({ knex, instanceKey: presence.instanceKey })
  const key = createShareKey({ secrets: createSecretStore({ knex }) })
  const creatorAddresses = createCreatorAddresses({ key, clock })
  const ownership = createOwnership({ auth, creatorAddresses })
  const attempts = createAttempts({ limits })
  const sizes = createShareSizes({ auth, admin, clock })
  const base = { shares, files, auth, admin, ownership, passwords, attempts, key, sizes, clock }
  const codeStore = createShareCodeStore({ knex })
  const codes = createRecipientCodes({ ...base, codes: codeStore, mails, mailer, log })
  const entrances = createEntrances({
    ...base,
    reverseShares: reverseShareStore,
    tokens: createVisitTokens({ key, clock, kind: 'reverse-share-access' }),
  })
  const tokens = createVisitTokens({ key, clock })
  const published = createPublishedShares(base)
  const adminOpenings = createAdminOpenings({ ...base, published, tokens })
  const visits = createVisits({
    ...base,
    published,
    adminOpenings,
    visits: visitStore,
    recipients: createRecipients({ mails, codes }),
    tokens,
    prepareDownload: (grant) => {
      // Visitors often download all next; laying the archive out now makes that start at once.
      files.archiveStatus({ grant }).catch((err: unknown) => {
        log.debug({ err }, 'could not prepare the archive layout in advance')
      })
    },
  })
  const reverseShares = createReverseShares({ ...base, reverseShares: reverseShareStore })
  const access = createShareAccess({ ...base, visits })
  const newShares = createNewShares({ ...base, entrances, creatorAddresses })
  const withReverse = { ...base, reverseShares: reverseShareStore }
  const editing = createEditing(withReverse)
  const earlyOpenings = createEarlyOpenings(withReverse)
  const listing = createListing(base)
  const activity = createActivity(base)
  const delivery = createMailDelivery({ ...base, mails, mailer })
  const deleteLinks = createDeleteLinks(base)
  return {
    routes: [
      ...createShareRoutes({
        newShares,
        access,
        editing,
        earlyOpenings,
        listing,
        activity,
        visits,
        codes,
        adminOpenings,
        ownership,
        attempts,
      }),
      ...createReverseShareRoutes({ reverseShares, entrances, ownership, attempts, sizes }),
    ],
    consumers: [
      ...createConsumers({ ...withReverse, editing, visits: visitStore, codes }),
      ...createMailConsumers({ ...base, mails, delivery, codes }),
    ],
    port: createSharePort({
      ...{ ...base, visits, log, listOwnData: createOwnDataList(database, storedData) },
      previews: createPreviews({ ...base, visits }),
      direct: createDirectShares({ ...base, newShares, access, editing, deleteLinks }),
    }),
    // Nothing here outlives a request.
    stop: () => Promise.resolve(),
  }
}
