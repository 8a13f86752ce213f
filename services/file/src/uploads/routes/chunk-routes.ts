import type { FileListing } from '../../files/domain/file-ports.ts'
import type { Uploads } from '../domain/uploads.ts'
import { randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type ChunkQuery,
  fileRoutes,
  type SharePort,
  type UploadGrant,
  uuidSchema,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import type { Request } from 'express'
import { draftUpload } from '../domain/begin-upload.ts'
import type { UploadStore } from '../domain/upload-ports.ts'
import type { Limits, Quotas } from '../../quotas/domain/quotas.ts'
import { fixedReservation } from '../domain/reserve-body.ts'
import { isComplete, type Upload } from '../domain/upload.ts'
import type { UploadTarget, UploadTargets } from '../domain/upload-targets.ts'
import type { OpenUpload } from '../domain/open-upload.ts'
import { requirePlainBody } from './require-plain-body.ts'

export interface ChunkRoutesDependencies {
  share: Pick<SharePort, 'authorizeUpload'>
  admin: Pick<AdminPort, 'settings'>
  store: Pick<UploadStore, 'create' | 'findByFile' | 'reserveOrEnd' | 'setChunkBytes'>
  files: Pick<FileListing, 'stateOf'>
  uploads: Uploads
  targets: Pick<UploadTargets, 'granted'>
  quotas: Pick<Quotas, 'limitsOf'>
}

/**
 * The chunk protocol: whole chunks of `share.chunkSize`, numbered from 0, in series for a file.
 * It stands on the same store as tus; a chunk is kept entirely or not at all.
 */
export function createChunkRoutes(dependencies: ChunkRoutesDependencies): ImplementedRoute[] {
  return [
    implement(
      fileRoutes.uploadChunk,
      ({ req, params }) => admitChunk(dependencies, req, params.shareId),
      ({ req, query }, admitted) => receiveChunk(dependencies, req, query, admitted),
    ),
  ]
}

type AdmittedChunk = Pick<Chunk, 'grant' | 'chunkSizeBytes' | 'bodyBytes'>

async function admitChunk(
  dependencies: ChunkRoutesDependencies,
  req: Request,
  shareId: string,
): Promise<AdmittedChunk> {
  const { 'share.chunkSize': chunkSizeBytes } = await dependencies.admin.settings({})
  // Null when the request does not say.
  const bodyBytes =
    req.get('Transfer-Encoding') === undefined ? Number(req.get('Content-Length') ?? 0) : null
  if ((bodyBytes ?? 0) > chunkSizeBytes) throw new AppError('chunk_too_large')
  const grant = await dependencies.share.authorizeUpload({
    shareId,
    credentials: requestCredentials(req, shareId),
  })
  requirePlainBody(req)
  return { grant, chunkSizeBytes, bodyBytes }
}

async function receiveChunk(
  dependencies: ChunkRoutesDependencies,
  req: Request,
  query: ChunkQuery,
  admitted: AdmittedChunk,
): Promise<{ id: string; name: string }> {
  const { grant } = admitted
  const fileId = readFileId(query)
  const response = { id: fileId, name: query.name }
  const target = dependencies.targets.granted(grant)
  const limits = await dependencies.quotas.limitsOf(grant.chargedTo, {
    maxShareBytes: grant.maxSizeBytes,
  })
  const chunk = { ...admitted, query, target, limits }
  const upload = await findOrBegin(dependencies, fileId, chunk)
  if (upload === 'finished' || isComplete(upload)) {
    if (query.chunkIndex !== query.totalChunks - 1) throw unexpectedIndex(query.totalChunks - 1)
    // The response to the last chunk was lost: the file is there, and saying so ends the matter.
    return response
  }
  const open = await dependencies.uploads.open(upload.id, 'take')
  await appendChunk(dependencies, req, open, chunk)
  return response
}

function readFileId({ id }: ChunkQuery): string {
  if (id === undefined) return randomUUID()
  if (!uuidSchema.safeParse(id).success) throw new AppError('invalid_file_id')
  return id
}

interface Chunk {
  query: ChunkQuery
  grant: UploadGrant
  target: UploadTarget
  limits: Limits
  chunkSizeBytes: number
  bodyBytes: number | null
}

async function appendChunk(
  dependencies: ChunkRoutesDependencies,
  req: Request,
  open: OpenUpload,
  chunk: Chunk,
): Promise<void> {
  const { upload, position } = open
  const { offsetBytes } = position
  const { chunkIndex, totalChunks } = chunk.query
  const isLast = chunkIndex === totalChunks - 1
  let handedOver = false
  try {
    // Another connection brought the last chunk while this one waited for the lease.
    if (isComplete(upload)) {
      if (!isLast) throw unexpectedIndex(totalChunks - 1)
      return
    }
    // A process died when all had come, and before there was a file.
    if (isLast && upload.lengthBytes === offsetBytes) {
      handedOver = true
      return await open.finish(chunk.target)
    }
    const expected = Math.ceil(offsetBytes / (upload.chunkBytes ?? chunk.chunkSizeBytes))
    if (chunkIndex !== expected) throw unexpectedIndex(expected)
    const maxBytes = isLast
      ? lastChunkBytes(chunk)
      : await fullChunkBytes(dependencies.store, open, chunk)
    await reserveChunk(dependencies, open, {
      endBytes: offsetBytes + maxBytes,
      limits: chunk.limits,
    })
    const reservation = fixedReservation(maxBytes)
    handedOver = true
    const { target } = chunk
    if (chunk.bodyBytes === 0 && isLast) return await open.finish(target)
    const result = await open.append(req, { reservation, target, wholeOnly: true, isLast })
    if (result.end === 'overflow') throw new AppError('chunk_too_large')
    if (result.end === 'cut') throw new AppError('upload_interrupted')
  } finally {
    if (!handedOver) await open.close()
  }
}

/**
 * A file whose end does not fit any more goes at once: its sender can only begin anew, and another
 * upload may need the space it held.
 */
async function reserveChunk(
  { store }: Pick<ChunkRoutesDependencies, 'store'>,
  { upload, lease }: OpenUpload,
  { endBytes, limits }: { endBytes: number; limits: Limits },
): Promise<void> {
  if (endBytes <= upload.reservedBytes) return
  await store.reserveOrEnd(lease, endBytes, limits)
}

/**
 * What is known to come when the first chunk does: all of a single chunk, and of more at least a byte
 * of the last. Counting it now keeps files out that do not fit, before their first byte.
 */
function announcedBytes({ query: { totalChunks }, bodyBytes, chunkSizeBytes }: Chunk): number {
  if (totalChunks === 1) return bodyBytes ?? chunkSizeBytes
  const chunkBytes = bodyBytes || chunkSizeBytes
  return Math.min((totalChunks - 1) * chunkBytes + 1, Number.MAX_SAFE_INTEGER)
}

function lastChunkBytes({ bodyBytes, chunkSizeBytes }: Chunk): number {
  return bodyBytes ?? chunkSizeBytes
}

/**
 * Every chunk but the last has the size of the first, whatever the setting is meanwhile: the
 * index of the next one is counted from the bytes stored, so an odd chunk would make its sender
 * repeat or skip bytes.
 */
async function fullChunkBytes(
  store: Pick<UploadStore, 'setChunkBytes'>,
  { upload, position, lease }: OpenUpload,
  { bodyBytes, chunkSizeBytes }: Chunk,
): Promise<number> {
  const { offsetBytes } = position
  const chunkBytes = upload.chunkBytes ?? chunkSizeBytes
  const isAligned = offsetBytes % chunkBytes === 0
  if (isAligned && (bodyBytes === null || bodyBytes === chunkBytes)) return chunkBytes
  if (offsetBytes > 0 || bodyBytes === null || bodyBytes === 0) {
    throw new AppError('validation_failed', {
      issues: [`chunk: every chunk but the last must have ${chunkBytes} bytes`],
    })
  }
  await store.setChunkBytes(lease, bodyBytes)
  return bodyBytes
}

async function findOrBegin(
  { store, files }: ChunkRoutesDependencies,
  fileId: string,
  chunk: Chunk,
): Promise<Upload | 'finished'> {
  const { query, grant, limits, chunkSizeBytes, bodyBytes } = chunk
  const { id, name, chunkIndex } = query
  const known = await store.findByFile(grant.shareUid, fileId)
  if (known) return known
  // A finished upload is forgotten after a while, its file is not.
  const state = id === undefined ? null : await files.stateOf(grant.shareUid, fileId)
  if (state === 'kept') return 'finished'
  if (state === 'removed') throw new AppError('file_id_taken')
  if (chunkIndex !== 0) throw unexpectedIndex(0)
  const draft = {
    ...draftUpload({ grant, name, lengthBytes: null, limits }),
    kind: 'chunk' as const,
    fileId,
    chunkBytes: bodyBytes || chunkSizeBytes,
    reservedBytes: announcedBytes(chunk),
  }
  try {
    return await store.create(draft, { durable: true })
  } catch (error) {
    // Two first chunks at once: the other one made the row.
    const made = isAppError(error, 'file_id_taken')
      ? await store.findByFile(grant.shareUid, fileId)
      : null
    if (!made) throw error
    return made
  }
}

function unexpectedIndex(expectedChunkIndex: number): AppError {
  return new AppError('unexpected_chunk_index', { members: { expectedChunkIndex } })
}
