import { mkdir, unlink } from 'node:fs/promises'
import { importLogo, importSettings } from '@floe/admin'
import { importAccounts } from '@floe/auth'
import { logoVariants } from '@floe/contracts'
import {
  type Database,
  hasEmbeddedDatabase,
  migrateAll,
  StartError,
  startEmbeddedPostgres,
} from '@floe/db'
import { countLeftByImports, openFileImport } from '@floe/file'
import {
  type ImportSource,
  openExport,
  openGokapi,
  openPalmr,
  openPingvin,
  type Product,
  SourceError,
} from '@floe/import'
import {
  hideSdkNotice,
  listMigrations,
  openInstalledObjects,
  openSecretKey,
  type OwnerTable,
} from '@floe/runtime/host'
import { createSecrets } from '@floe/secrets'
import { importReverseShares, importShares } from '@floe/share'
import { type CommandContext, openInstalledDatabase, runCommand } from '../command.ts'
import { canLink, type Estimate, estimateSeconds } from './estimate.ts'
import { createIssuers } from './issuers.ts'
import { mapAccounts } from './map-accounts.ts'
import { mapReverseShares } from './map-reverse-shares.ts'
import { mapSettings } from './map-settings.ts'
import { mapShares, type SharePage } from './map-shares.ts'
import { type ImportOptions, readOptions } from './read-options.ts'
import { describeReport, type ImportReport, writeReport } from './report.ts'

const SHARES_AT_ONCE = 100
const HOUR_MS = 3_600_000

interface Import extends CommandContext {
  options: ImportOptions
  source: ImportSource
  database: Database
}

/** Brings what another product holds; see `bin/import.mjs`. */
async function importAll(owners: OwnerTable, context: CommandContext): Promise<number> {
  const options = readOptions()
  const source = await openSource(options)
  try {
    await makeDatabase(context)
    const database = await openInstalledDatabase(context)
    await migrateAll(database, await listMigrations(owners))
    const running = { ...context, options, source, database }
    const plan = await makePlan(running)
    const { report, lack } = await survey(running, plan)
    const isRefused = report.conflicts.length > 0 && options.onConflict === null
    if (lack !== null && !options.isDryRun && !isRefused) throw new StartError(`${lack}.`)
    if (!options.isDryRun && !isRefused) await bring(running, plan, report)
    return await conclude(running, report, isRefused)
  } finally {
    await source.close()
  }
}

type Opener = (options: ImportOptions) => Promise<ImportSource>

const openers: Record<Product, Opener> = {
  pingvin: ({ folder, configPath }) => openPingvin(folder, configPath),
  palmr: ({ folder }) => openPalmr(folder),
  gokapi: ({ folder }) => openGokapi(folder),
  floe: ({ folder }) => openExport(folder),
}

async function openSource(options: ImportOptions): Promise<ImportSource> {
  hideSdkNotice()
  try {
    return await openers[options.product](options)
  } catch (error) {
    throw error instanceof SourceError ? new StartError(error.message, error) : error
  }
}

/** An installation that was never started has none yet. */
async function makeDatabase({ environment, log }: CommandContext): Promise<void> {
  const { databaseUrl, dataDirectory } = environment
  if (databaseUrl !== null || (await hasEmbeddedDatabase(dataDirectory))) return
  await mkdir(dataDirectory, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir: dataDirectory, log })
  await postgres.stop()
}

type Plan = Awaited<ReturnType<typeof makePlan>>

async function makePlan({ options, source, database, environment }: Import) {
  const { onConflict } = options
  const { knex } = database
  const settings = await mapSettings(knex, source.settings())
  const issuerOf = createIssuers(environment, source.settings())
  const accounts = await mapAccounts({ knex, users: source.users(), onConflict, issuerOf })
  const { owners } = accounts
  const sources = source.reverseShares()
  const reverseShares = await mapReverseShares({
    ...{ knex, product: source.key, sources, owners, onConflict },
  })
  // What the operator fixed holds, whatever is stored.
  const hours = Number(environment.settings['share.fileRetentionPeriod'] ?? settings.retentionHours)
  const now = new Date()
  const keptSince = new Date(now.getTime() - hours * HOUR_MS)
  return { settings, accounts, reverseShares, now, keptSince }
}

async function* pagesOf(
  { options, source, database, signal }: Import,
  { accounts: { owners }, reverseShares: { terms }, now, keptSince }: Plan,
): AsyncIterable<SharePage> {
  const { onConflict } = options
  for await (const page of source.shares(SHARES_AT_ONCE)) {
    signal.throwIfAborted()
    yield await mapShares(page, {
      knex: database.knex,
      product: source.key,
      onConflict,
      owners,
      reverseShares: terms,
      hasShare: (link) => source.hasShare(link),
      now,
      keptSince,
    })
  }
}

/** What would come, without writing anything. */
async function survey(
  running: Import,
  plan: Plan,
): Promise<{ report: ImportReport; lack: string | null }> {
  const { source, options } = running
  const { settings, accounts, reverseShares } = plan
  const report: ImportReport = {
    product: source.product,
    isDryRun: options.isDryRun,
    settings: settings.settings.length,
    accounts: accounts.accounts.length,
    reverseShares: reverseShares.reverseShares.length,
    shares: 0,
    files: 0,
    bytes: 0,
    estimate: null,
    conflicts: [...accounts.conflicts, ...reverseShares.conflicts],
    losses: [...settings.losses, ...accounts.losses, ...reverseShares.losses],
  }
  const local: { bytes: number; path: string | null } = { bytes: 0, path: null }
  for await (const { shares, files, conflicts, losses } of pagesOf(running, plan)) {
    report.shares += shares.length
    report.files += files.length
    report.bytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    report.conflicts.push(...conflicts)
    report.losses.push(...losses)
    for (const { path, sizeBytes } of files) {
      if (path === null) continue
      local.path ??= path
      local.bytes += sizeBytes
    }
  }
  report.losses.push(...source.losses())
  const estimate = await makeEstimate(running, report, local)
  const lack = await findLack(running, estimate)
  if (options.isDryRun) {
    report.estimate = estimate
    if (lack !== null) report.losses.push(lack)
  }
  return { report, lack }
}

/** In words, if the disk is too small; null if it is not, as far as anybody knows. */
async function findLack(
  { database }: Import,
  { copiedBytes, freeBytes }: Estimate,
): Promise<string | null> {
  if (freeBytes === null) return null
  const usableBytes = freeBytes + (await countLeftByImports(database.knex))
  if (usableBytes >= copiedBytes) return null
  return `${copiedBytes} bytes are to be copied, and ${freeBytes} are free`
}

/** What the rest of it will take. Nothing is opened in S3, since that would make the bucket. */
async function makeEstimate(
  running: Import,
  report: ImportReport,
  local: { bytes: number; path: string | null },
): Promise<Estimate> {
  const { environment, options } = running
  const objects = environment.s3 === null ? await openInstalledObjects(environment, running) : null
  const isLinked =
    objects !== null &&
    options.transfer !== 'copy' &&
    local.path !== null &&
    (await canLink(objects, local.path))
  const copiedBytes = report.bytes - (isLinked ? local.bytes : 0)
  const freeBytes = (await objects?.freeBytes()) ?? null
  return { copiedBytes, freeBytes, seconds: estimateSeconds(report, copiedBytes) }
}

/**
 * Each page of shares commits with its files or not at all, so that a second run goes on where the
 * first one was ended.
 */
async function bring(running: Import, plan: Plan, report: ImportReport): Promise<void> {
  const { source, database, environment, log, signal } = running
  const { transfer } = running.options
  const { settings, accounts, reverseShares, now } = plan
  const secrets = createSecrets({ key: await openSecretKey(environment) })
  const objects = await openInstalledObjects(environment, running)
  const importing = await openFileImport({ database, objects, clock: () => new Date() })
  await database.knex.transaction(async (trx) => {
    await importSettings(trx, { settings: settings.settings, secrets, log, now })
    await importAccounts(trx, { accounts: accounts.accounts, secrets, now })
    await importReverseShares(trx, reverseShares.reverseShares)
  })
  for (const variant of logoVariants) {
    const bytes = await source.logo(variant)
    const clock = () => new Date()
    const fault = bytes && (await importLogo({ database, log, clock, variant, bytes }))
    const name = variant === 'dark' ? 'the logo for dark mode' : 'the logo'
    if (fault) report.losses.push(`${name} is left out: ${fault}`)
  }
  for await (const { shares, files } of pagesOf(running, plan)) {
    const stored = await importing.store(files, { isLinked: transfer !== 'copy', signal })
    await database.knex.transaction(async (trx) => {
      await importShares(trx, shares, now)
      await importing.finish(trx, stored)
    })
    if (transfer === 'move') for (const { path } of stored) if (path !== null) await unlink(path)
  }
}

/** 0 all came, 1 came with losses, 2 nothing was done. */
async function conclude(
  { options, environment }: Import,
  report: ImportReport,
  isRefused: boolean,
): Promise<number> {
  const isDone = !options.isDryRun && !isRefused
  const reports = isDone ? await writeReport(environment.dataDirectory, report) : []
  if (options.isJson) console.log(JSON.stringify({ ...report, reports }))
  else console.log([describeReport(report), ...reports].join('\n'))
  if (isRefused && !options.isDryRun) {
    throw new StartError('settle the conflicts by --on-conflict=skip, rename or replace.')
  }
  return report.losses.length === 0 ? 0 : 1
}

/** Imports another product's data; returns the exit code that `bin/import.mjs` describes. */
export function runImport(owners: OwnerTable): Promise<number> {
  return runCommand({ name: 'import', failure: 'Nothing was imported' }, (context) =>
    importAll(owners, context),
  )
}
