import { randomUUID } from 'node:crypto'
import { type ChunkQuery, fileRoutes, type UploadGrant } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import type { Request } from 'express'
import { draftUpload } from '../domain/begin-upload.ts'
import type { FileServiceParts } from '../domain/parts.ts'
import { isComplete, type Upload } from '../domain/upload.ts'
import type { OpenUpload } from '../domain/uploads.ts'
import { discardRestOfBody } from './refuse-body.ts'

/**
 * The chunk protocol: whole chunks of `share.chunkSize`, numbered from 0, in series for a file.
 * It stands on the same store as tus; a chunk is kept entirely or not at all.
 */
export function createChunkRoutes(parts: FileServiceParts): ImplementedRoute[] {
  return [
    implement(fileRoutes.uploadChunk, async ({ req, params, query }) => {
      try {
        return await receiveChunk(parts, req, params.shareId, query)
      } catch (error) {
        discardRestOfBody(req)
        throw error
      }
    }),
  ]
}

async function receiveChunk(
  parts: FileServiceParts,
  req: Request,
  shareId: string,
  query: ChunkQuery,
): Promise<{ id: string; name: string }> {
  const { 'share.chunkSize': chunkSizeBytes } = await parts.ports.admin.settings({})
  const bodyBytes = Number(req.get('Content-Length') ?? 0)
  if (bodyBytes > chunkSizeBytes) throw new AppError('chunk_too_large')
  const grant = await parts.ports.share.authorizeUpload({
    shareId,
    credentials: requestCredentials(req, shareId),
  })
  const fileId = query.id ?? randomUUID()
  const upload = await findOrBegin(parts, grant, fileId, query, chunkSizeBytes)
  const answer = { id: fileId, name: query.name }
  if (isComplete(upload)) {
    if (query.chunkIndex !== query.totalChunks - 1) throw unexpectedIndex(query.totalChunks - 1)
    // The answer to the last chunk was lost: the file is there, and saying so ends the matter.
    discardRestOfBody(req)
    return answer
  }
  const open = await parts.uploads.open(upload.id, { discardsUnverified: true })
  await appendChunk(parts, req, open, { query, grant, chunkSizeBytes, bodyBytes })
  return answer
}

interface ChunkContext {
  query: ChunkQuery
  grant: UploadGrant
  chunkSizeBytes: number
  bodyBytes: number
}

async function appendChunk(
  { store }: FileServiceParts,
  req: Request,
  open: OpenUpload,
  { query, grant, chunkSizeBytes, bodyBytes }: ChunkContext,
): Promise<void> {
  const { upload, position } = open
  const { chunkIndex, totalChunks } = query
  const isLast = chunkIndex === totalChunks - 1
  let handedOver = false
  try {
    const expected = Math.ceil(position.offsetBytes / (upload.chunkBytes ?? chunkSizeBytes))
    if (chunkIndex !== expected) throw unexpectedIndex(expected)
    const hasLength = req.get('Transfer-Encoding') === undefined
    const maxBytes = hasLength ? bodyBytes : chunkSizeBytes
    await store.reserve(upload, position.offsetBytes + maxBytes, grant.maxSizeBytes)
    handedOver = true
    if (bodyBytes === 0 && hasLength && isLast) return await open.finish()
    const result = await open.append(req, { maxBytes, wholeOnly: true, isLast })
    if (result.end !== 'complete' || result.offsetBytes !== position.offsetBytes + maxBytes) {
      await store.reserve(upload, result.offsetBytes, 0)
    }
    if (result.end === 'overflow') throw new AppError('chunk_too_large')
    if (result.end === 'cut') throw new AppError('upload_interrupted')
  } finally {
    if (!handedOver) await open.close()
  }
}

async function findOrBegin(
  { store }: FileServiceParts,
  grant: UploadGrant,
  fileId: string,
  { name, chunkIndex }: ChunkQuery,
  chunkSizeBytes: number,
): Promise<Upload> {
  const known = await store.findByFile(grant.shareUid, fileId)
  if (known) return known
  if (chunkIndex !== 0) throw unexpectedIndex(0)
  const draft = draftUpload({ grant, name, lengthBytes: null })
  try {
    return await store.create(
      { ...draft, kind: 'chunk', fileId, chunkBytes: chunkSizeBytes },
      { durable: true },
    )
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
  return new AppError('unexpected_chunk_index', { body: { expectedChunkIndex } })
}
