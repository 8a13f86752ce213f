import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Random } from '@floe/testing'
import { BrokenPromise, type Caller, insist, refuse } from './patient-client.ts'
import {
  completeShare,
  createShare,
  sendBatch,
  sendFile,
  type SenderOptions,
  type SentFile,
} from './sender.ts'
import { download, listFiles, sha256Of, visit, waitForArchive } from './visitor.ts'

/** A share as its owner believes it to be. */
export interface KnownShare {
  id: string
  files: SentFile[]
  recipient: string | null
}

/** What all of them did together. */
export interface Deeds {
  kept: KnownShare[]
  /** Who may have been told of a share that was deleted soon after. */
  formerRecipients: string[]
  bytes: number
  files: number
  downloads: number
  archives: number
  deleted: number
}

export function createDeeds(): Deeds {
  return {
    kept: [],
    formerRecipients: [],
    bytes: 0,
    files: 0,
    downloads: 0,
    archives: 0,
    deleted: 0,
  }
}

const MOST_FILES = 4

/**
 * Makes shares, publishes them, opens and downloads them as a visitor and deletes some, through
 * whatever happens to the servers, until it is stopped. Whatever it gets must be what was sent.
 */
export async function useUntilStopped(options: SenderOptions, deeds: Deeds): Promise<void> {
  const { random, stop } = options
  while (!stop.aborted) {
    const recipient = random.chance(0.5) ? `${randomBytes(8).toString('hex')}@floe.test` : null
    const id = await createShare(options, recipient === null ? [] : [recipient])
    const files: SentFile[] = []
    for (let left = random.between(1, MOST_FILES); left > 0; left -= 1) {
      files.push(await sendFile(options, id, makeBody(random)))
    }
    if (random.chance(0.5)) files.push(...(await sendBatch(options, id)))
    deeds.files += files.length
    deeds.bytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    await completeShare(options, id)
    const visitor = await visit(options, id)
    await checkFile(visitor, random.pick(files))
    deeds.downloads += 1
    if (random.chance(0.3)) {
      await checkArchive(visitor, id, files)
      deeds.archives += 1
    }
    if (random.chance(0.4)) {
      await deleteShare(options, id)
      deeds.deleted += 1
      if (recipient !== null) deeds.formerRecipients.push(recipient)
    } else deeds.kept.push({ id, files, recipient })
  }
}

/** Every file of a share, compared with what was sent. */
export async function checkShare(caller: Caller, { id, files }: KnownShare): Promise<void> {
  const visitor = await visit(caller, id)
  for (const file of files) await checkFile(visitor, file)
}

/** Some shrink in an archive, some do not; some need several parts in S3. */
function makeBody(random: Random): Buffer {
  const sizeBytes = random.chance(0.1)
    ? random.between(8_000_000, 20_000_000)
    : random.between(0, random.pick([5_000, 300_000, 2_000_000]))
  if (random.chance(0.5)) return randomBytes(sizeBytes)
  return Buffer.alloc(sizeBytes, `${randomBytes(100).toString('hex')}\n`)
}

async function checkFile(visitor: Caller, file: SentFile): Promise<void> {
  const { shareId, name, sizeBytes, sha256 } = file
  const id = (await listFiles(visitor, shareId)).get(name)
  if (id === undefined) throw new BrokenPromise(`${name} of ${shareId} is gone`)
  const body = await download(visitor, `/api/shares/${shareId}/files/${id}`)
  if (body.length !== sizeBytes || sha256Of(body) !== sha256) {
    throw new BrokenPromise(`${name} of ${shareId} is not what was sent: ${body.length} bytes`)
  }
}

/** Unpacked by a real program. A file whose first response was lost may be in it twice. */
async function checkArchive(visitor: Caller, id: string, files: readonly SentFile[]) {
  await waitForArchive(visitor, id)
  const archive = await download(visitor, `/api/shares/${id}/files/zip`)
  const directory = await mkdtemp(join(tmpdir(), 'floe-archive-'))
  try {
    const path = join(directory, 'all.zip')
    await writeFile(path, archive)
    await promisify(execFile)('unzip', ['-qq', path, '-d', directory])
    for (const { name, sha256 } of files) {
      if (sha256Of(await readFile(join(directory, name))) !== sha256) {
        throw new BrokenPromise(`${name} in the archive of ${id} is not what was sent`)
      }
    }
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function deleteShare(caller: Caller, id: string): Promise<void> {
  const response = await insist(caller, { method: 'DELETE', path: `/api/shares/${id}` })
  // Deleted already: the first response was lost.
  if (!response.ok && response.status !== 404) await refuse(response, 'delete share')
  await response.body?.cancel()
}
