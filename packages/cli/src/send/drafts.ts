import { createReadStream } from 'node:fs'
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { type components, FloeError, unwrap } from '@floe/client'
import type { Server } from '../server.ts'
import { readCrc32 } from './crc32.ts'
import type { LocalFile } from './local-files.ts'
import type { OutgoingFile } from './outgoing-file.ts'
import { persist } from './patience.ts'
import type { Tus } from './tus.ts'

type UnfinishedUpload = components['schemas']['UnfinishedUpload']
type SharedFile = components['schemas']['SharedFile']

/** What a share that is not completed has of the files that are to be sent. */
export interface Draft {
  shareId: string
  /** Names of files that are all there. */
  arrived: ReadonlySet<string>
  /** Paths of uploads, by the name of their file. */
  begun: ReadonlyMap<string, string>
}

/** `null` where it is gone, or completed: it then is nothing to go on with. */
export async function readDraft(
  server: Server,
  shareId: string,
  files: readonly OutgoingFile[],
): Promise<Draft | null> {
  const [share, uploads] = await Promise.all([readShare(server, shareId), listUploads(server)])
  if (share === null) return null
  const own = uploads.filter((upload) => upload.shareId === shareId)
  const matches = await matchDraft(files, { uploads: own, arrived: share, isOurs: true })
  return matches && { shareId, ...matches }
}

/**
 * A share that a browser, or another machine, began with some of these very files and nothing else.
 * Files are known by name and size, and by the bytes that are there.
 */
export async function findDraft(
  server: Server,
  tus: Tus,
  files: readonly OutgoingFile[],
): Promise<Draft | null> {
  const uploads = await listUploads(server)
  for (const shareId of new Set(uploads.map((upload) => upload.shareId))) {
    const own = uploads.filter((upload) => upload.shareId === shareId)
    if (!own.every((upload) => findFile(files, upload))) continue
    const arrived = await readShare(server, shareId)
    if (arrived === null) continue
    const matches = await matchDraft(files, { uploads: own, arrived, isOurs: false, tus })
    if (matches) return { shareId, ...matches }
  }
  return null
}

function findFile(
  files: readonly OutgoingFile[],
  upload: UnfinishedUpload,
): OutgoingFile | undefined {
  const name = nameOf(upload)
  return files.find((file) => file.name === name && file.sizeBytes === upload.sizeBytes)
}

function nameOf({ relativePath, name }: UnfinishedUpload): string {
  return relativePath ?? name
}

interface Found {
  uploads: readonly UnfinishedUpload[]
  arrived: readonly SharedFile[]
  /** This very program began it: its files need no proof, and others in it are no hindrance. */
  isOurs: boolean
  tus?: Tus
}

async function matchDraft(
  files: readonly OutgoingFile[],
  found: Found,
): Promise<Omit<Draft, 'shareId'> | null> {
  const byName = new Map(files.map((file) => [file.name, file]))
  const arrived = new Set<string>()
  for (const shared of found.arrived) {
    const file = byName.get(shared.name)
    const isSame = file !== undefined && String(file.sizeBytes) === shared.size
    if (isSame && (found.isOurs || (await hasDigest(file, shared.sha256)))) arrived.add(shared.name)
    else if (!found.isOurs) return null
  }
  const begun = new Map<string, string>()
  for (const upload of found.uploads) {
    const file = findFile(files, upload)
    const isSame = file !== undefined && (await beginsAlike(file, upload, found.tus))
    if (isSame) begun.set(file.name, upload.url)
    else if (!found.isOurs) return null
  }
  return { arrived, begun }
}

async function beginsAlike(
  file: OutgoingFile,
  { url }: UnfinishedUpload,
  tus?: Tus,
): Promise<boolean> {
  // What is our own is compared before it is continued.
  if (tus === undefined) return true
  const { offset, checksum } = await persist(() => tus.inspect(url))
  return file.beginsLike(offset, readCrc32(checksum))
}

async function hasDigest({ path }: LocalFile, sha256: string | undefined): Promise<boolean> {
  if (sha256 === undefined) return true
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash)
  return hash.digest('hex') === sha256
}

/** The files of an own share that was never completed. */
async function readShare(server: Server, id: string): Promise<SharedFile[] | null> {
  const path = { id }
  try {
    const share = await persist(() =>
      unwrap(server.api.GET('/api/shares/{id}/from-owner', { params: { path } })),
    )
    return share.state === 'open' || share.state === 'uploading' ? share.files : null
  } catch (error) {
    if (error instanceof FloeError && [403, 404].includes(error.status)) return null
    throw error
  }
}

function listUploads(server: Server): Promise<UnfinishedUpload[]> {
  return persist(() => unwrap(server.api.GET('/api/uploads')))
}
