import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportAccounts } from '@floe/auth'
import { RELEASE_VERSION } from '@floe/contracts'
import { exportFiles, type FileToExport } from '@floe/file'
import { EXPORT_FILE, EXPORT_FORMAT, type Export, type ExportedShare } from '@floe/import'
import { openInstalledObjects, openSecretKey } from '@floe/runtime/host'
import { createSecrets } from '@floe/secrets'
import { exportReverseShares, exportShares, type ShareToExport } from '@floe/share'
import type { ObjectStore } from '@floe/storage'
import type { Database } from '@floe/db'
import { type CommandContext, count, openInstalledDatabase, runCommand } from './command.ts'
import { COPY_BYTES, copyObject, holdObjects, prepareTarget } from './copy-objects.ts'

const SHARES_AT_ONCE = 100
/** Linux opens no longer path than 4096 bytes. */
const LONGEST_PATH_BYTES = 4000

interface Writing {
  database: Database
  objects: ObjectStore
  folder: string
  buffer: Buffer
  signal: AbortSignal
  /** What did not come, a line each. */
  problems: string[]
}

/** Shares as plain folders, so that any other product can take them; see `bin/export.mjs`. */
async function exportAll(context: CommandContext): Promise<number> {
  const folder = await prepareTarget('export')
  const database = await openInstalledDatabase(context)
  const objects = await openInstalledObjects(context.environment, { database, ...context })
  const secrets = createSecrets({ key: await openSecretKey(context.environment) })
  const { signal } = context
  const buffer = Buffer.allocUnsafe(COPY_BYTES)
  const writing: Writing = { database, objects, folder, buffer, signal, problems: [] }
  const { problems } = writing
  return holdObjects(database, async () => {
    const totals = await writeShares(writing)
    const { knex } = database
    // After the shares, so that the owner of each is among them.
    await writeJson(join(folder, EXPORT_FILE), {
      format: EXPORT_FORMAT,
      version: RELEASE_VERSION,
      createdAt: new Date().toISOString(),
      accounts: (await exportAccounts(knex, { secrets, problems })).map(
        ({ createdAt, ...account }) => ({ ...account, createdAt: createdAt.toISOString() }),
      ),
      reverseShares: (await exportReverseShares(knex)).map(toExportedReverseShare),
    } satisfies Export)
    for (const problem of problems) console.log(problem)
    console.log(
      `wrote ${count(totals.shares, 'share')}, ${count(totals.files, 'file')} to ${folder}`,
    )
    return problems.length === 0 ? 0 : 1
  })
}

async function writeShares(writing: Writing): Promise<{ shares: number; files: number }> {
  const totals = { shares: 0, files: 0 }
  for await (const page of exportShares(writing.database.knex, SHARES_AT_ONCE)) {
    for (const one of page) {
      const written = await writeShare(writing, one)
      totals.shares += 1
      totals.files += written.files.length
    }
  }
  return totals
}

async function writeShare(
  writing: Writing,
  { share, recipients }: ShareToExport,
): Promise<ExportedShare> {
  const files: ExportedShare['files'] = []
  const { uid: shareUid, id, edition } = share
  for (const file of await exportFiles(writing.database, { shareUid, edition })) {
    const written = await writeShareFile(writing, id, file)
    if (written) files.push(written)
  }
  const exported: ExportedShare = {
    id,
    name: share.name,
    description: share.description,
    createdAt: share.createdAt.toISOString(),
    expiration: share.expiresAt?.toISOString() ?? null,
    views: share.views,
    maxViews: share.maxViews,
    passwordHash: share.passwordHash,
    removedReason: share.removedReason,
    senderName: share.senderName,
    creatorId: share.creatorId,
    reverseShareId: share.reverseShareId,
    receiverId: share.receiverId,
    isPrivate: share.isPrivate,
    recipients,
    restrictsToRecipients: share.restrictsToRecipients,
    isEncrypted: share.isEncrypted,
    sealedKey: share.sealedKey,
    files,
  }
  await writeJson(join(writing.folder, `${id}.json`), exported)
  return exported
}

/** Null for one whose bytes are lost. */
async function writeShareFile(
  { objects, folder, buffer, signal, problems }: Writing,
  shareId: string,
  file: FileToExport,
): Promise<ExportedShare['files'][number] | null> {
  const { id, name, sizeBytes, crc32, objectKey, createdAt } = file
  const isLong = Buffer.byteLength(join(folder, shareId, file.path)) > LONGEST_PATH_BYTES
  const path = `${shareId}/${isLong ? id : file.path}`
  const target = join(folder, path)
  const object = { key: objectKey, sizeBytes, isExact: true, crc32 }
  const stored = await copyObject(objects, object, { path: target, buffer, signal })
  if (stored === null) {
    problems.push(`share ${shareId}: ${JSON.stringify(name)} has no bytes, and is left out`)
    return null
  }
  const isSame = file.sha256 === null || file.sha256.toString('hex') === stored.sha256
  if (!stored.isAsReceived || !isSame) {
    problems.push(`share ${shareId}: ${JSON.stringify(name)} is not as it was received`)
  }
  await utimes(target, createdAt, createdAt)
  const { sha256 } = stored
  return { id, name, size: stored.sizeBytes, sha256, createdAt: createdAt.toISOString(), path }
}

type StoredReverseShare = Awaited<ReturnType<typeof exportReverseShares>>[number]

function toExportedReverseShare(one: StoredReverseShare): Export['reverseShares'][number] {
  return {
    id: one.id,
    createdAt: one.createdAt.toISOString(),
    token: one.token,
    name: one.name,
    expiration: one.expiresAt.toISOString(),
    maxBytes: one.maxSizeBytes,
    remainingUses: one.remainingUses,
    passwordHash: one.passwordHash,
    sendsNotice: one.sendsNotice,
    asksSenderName: one.asksSenderName,
    isSimplified: one.isSimplified,
    isPublic: one.isPublic,
    receiver: one.receiver,
    creatorId: one.creatorId,
  }
}

/** Has password hashes: for its owner's eyes alone. */
async function writeJson(path: string, content: Export | ExportedShare): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
}

/** Writes all shares to a folder; returns the exit code that `bin/export.mjs` describes. */
export function runExport(): Promise<number> {
  return runCommand({ name: 'export', failure: 'There is no export' }, exportAll)
}
