import type { ExpectedChecksum } from '../../domain/checksum.ts'
import type { ObjectStore, Position } from '@floe/storage'
import type { UploadStore } from '../../domain/upload-ports.ts'
import {
  type Identity,
  PREFIX_CHECKSUM_HEADER,
  type SharePort,
  TUS_CHECKSUM_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_VERSION,
  uploadIdSchema,
  UPLOADS_PATH,
  uploadRoutes,
  writePrefixChecksum,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute, implementPublic } from '@floe/http'
import type { Request, Response } from 'express'
import { type FileRemovalDependencies, removeFile } from '../../../removals/domain/remove-file.ts'
import { type Limits, noLimits } from '../../../quotas/domain/quotas.ts'
import { reserveBody } from '../../domain/reserve-body.ts'
import { isComplete, type Upload } from '../../domain/upload.ts'
import type { UploadTarget, UploadTargets } from '../../domain/upload-targets.ts'
import type { OpenUpload } from '../../domain/open-upload.ts'
import { requireUser } from '../../../request.ts'
import { type CreateUploadDependencies, createUploadRoute } from './create-upload.ts'
import { guarded } from './guarded.ts'
import {
  readByteCount,
  readChecksum,
  readUploadLength,
  requireContentType,
  requireTusVersion,
  setTusHeaders,
} from './headers.ts'

export interface TusRoutesDependencies extends CreateUploadDependencies, FileRemovalDependencies {
  share: Pick<SharePort, 'authorizeUpload' | 'publishedEditions'>
  store: Pick<
    UploadStore,
    'create' | 'find' | 'finish' | 'reserve' | 'declareLength' | 'listUnfinished'
  >
  objects: Pick<ObjectStore, 'concatenate' | 'remove'>
  targets: Pick<UploadTargets, 'ask' | 'granted' | 'confirm'>
}

interface UploadCall {
  req: Request
  res: Response
  params: { uploadId: string }
}

/** tus 1.0 with all the extensions of `TUS_EXTENSIONS`. */
export function createTusRoutes(dependencies: TusRoutesDependencies): ImplementedRoute[] {
  const known = guarded((asked: UploadCall) => findUpload(dependencies, asked))
  const appendable = guarded(async (asked: UploadCall) => {
    if (dependencies.uploads.isPaused(asked.params.uploadId))
      requireTusVersion(asked.req, asked.res)
    else await known(asked)
  })
  const inspect = guarded((call: UploadCall, upload: Upload) =>
    inspectUpload(dependencies, call, upload),
  )
  const append = guarded((call: UploadCall) => appendToUpload(dependencies, call))
  const terminate = guarded(({ res }: UploadCall, upload: Upload) =>
    terminateUpload(dependencies, res, upload),
  )
  return [
    implementPublic(uploadRoutes.describeUploads, ({ res }) => describeUploads(dependencies, res)),
    createUploadRoute(dependencies),
    implement(uploadRoutes.listUnfinishedUploads, requireUser(dependencies.auth), (_call, user) =>
      listUnfinished(dependencies, user),
    ),
    implement(uploadRoutes.inspectUpload, known, inspect),
    implement(uploadRoutes.appendToUpload, appendable, append),
    implement(uploadRoutes.terminateUpload, known, terminate),
    // "The actual method of the request MUST be ignored": for clients behind proxies that know
    // only GET and POST (tus 1.0, X-HTTP-Method-Override).
    implement(uploadRoutes.overrideUploadMethod, known, (call, upload) => {
      const method = call.req.get('X-HTTP-Method-Override')?.toUpperCase()
      if (method === 'PATCH') return append(call)
      if (method === 'DELETE') return terminate(call, upload)
      if (method === 'HEAD') return inspect(call, upload)
      throw new AppError('method_not_allowed')
    }),
  ]
}

async function describeUploads({ admin }: TusRoutesDependencies, res: Response): Promise<void> {
  const { 'share.maxSize': maxSizeBytes } = await admin.settings({})
  setTusHeaders(res)
  res
    .set('Tus-Version', TUS_VERSION)
    .set('Tus-Extension', TUS_EXTENSIONS.join(','))
    .set('Tus-Checksum-Algorithm', TUS_CHECKSUM_ALGORITHMS.join(','))
  if (maxSizeBytes > 0) res.set('Tus-Max-Size', String(maxSizeBytes))
  res.status(204).end()
}

async function listUnfinished({ store, share }: TusRoutesDependencies, { userId }: Identity) {
  const uploads = await store.listUnfinished(userId)
  const shareUids = [...new Set(uploads.flatMap(({ shareUid }) => shareUid ?? []))]
  // A share that was opened meanwhile may have got another link.
  const known = shareUids.length === 0 ? [] : await share.publishedEditions({ shareUids })
  const presentIds = new Map(known.map(({ shareUid, shareId }) => [shareUid, shareId]))
  return uploads.map((upload) => ({
    url: `${UPLOADS_PATH}/${upload.id}`,
    shareId: presentIds.get(upload.shareUid ?? '') ?? upload.shareId ?? '',
    name: upload.name.split('/').at(-1) ?? upload.name,
    relativePath: upload.name.includes('/') ? upload.name : null,
    sizeBytes: upload.lengthBytes,
    offsetBytes: upload.checkpoint.offsetBytes,
    createdAt: upload.createdAt.toISOString(),
    expiresAt: upload.expiresAt.toISOString(),
  }))
}

/** The URL is the capability: who knows it may. */
async function findUpload({ store }: TusRoutesDependencies, { req, res, params }: UploadCall) {
  requireTusVersion(req, res)
  const { success, data: id } = uploadIdSchema.safeParse(params.uploadId)
  const upload = success ? await store.find(id) : null
  if (!upload || upload.kind === 'direct') throw new AppError('upload_not_found')
  return upload
}

async function inspectUpload(
  dependencies: TusRoutesDependencies,
  { res, params }: UploadCall,
  known: Upload,
): Promise<void> {
  if (isComplete(known)) return sendPosition(res, known, known.checkpoint)
  const target = await dependencies.targets.ask(known)
  const open = await dependencies.uploads.open(params.uploadId, 'take')
  const { upload, position } = open
  await settlePosition(open, target)
  sendPosition(res, upload, position)
}

/** All bytes there but the last response lost, perhaps with its process: inspecting completes it. */
async function settlePosition(open: OpenUpload, target: UploadTarget): Promise<void> {
  const { upload, position } = open
  if (!isComplete(upload) && position.offsetBytes === upload.lengthBytes) await open.finish(target)
  else await open.close()
}

function sendPosition(res: Response, upload: Upload, { offsetBytes, crc32 }: Position): void {
  setTusHeaders(res)
  res.set('Upload-Offset', String(offsetBytes))
  res.set(PREFIX_CHECKSUM_HEADER, writePrefixChecksum(crc32))
  if (upload.lengthBytes === null) res.set('Upload-Defer-Length', '1')
  else res.set('Upload-Length', String(upload.lengthBytes))
  if (upload.metadata !== null) res.set('Upload-Metadata', upload.metadata)
  if (upload.concatenation !== null) res.set('Upload-Concat', upload.concatenation)
  if (!isComplete(upload)) res.set('Upload-Expires', upload.expiresAt.toUTCString())
  res.status(200).end()
}

interface AppendRequest {
  claimedOffset: number
  checksum: ExpectedChecksum | null
  declaredLength: number | null
  /** Null when the request does not say. */
  bodyBytes: number | null
}

function readAppendRequest(req: Request): AppendRequest {
  requireContentType(req)
  const claimedOffset = readByteCount(req, 'Upload-Offset')
  if (claimedOffset === null) {
    throw new AppError('validation_failed', { issues: ['Upload-Offset: is required'] })
  }
  const checksum = readChecksum(req)
  const declaredLength = readUploadLength(req)
  const isChunked = req.get('Transfer-Encoding') !== undefined
  const bodyBytes = isChunked ? null : (readByteCount(req, 'Content-Length') ?? 0)
  return { claimedOffset, checksum, declaredLength, bodyBytes }
}

async function appendToUpload(
  dependencies: TusRoutesDependencies,
  { req, res, params }: UploadCall,
) {
  const asked = readAppendRequest(req)
  const { bodyBytes, checksum } = asked
  const open = await dependencies.uploads.open(params.uploadId, 'append')
  let handedOver = false
  try {
    const target = askTarget(dependencies, open, bodyBytes)
    target.catch(() => undefined)
    const limits = await limitsOf(dependencies, open, target)
    const { offsetBytes } = open.position
    const upload = await admitAppend(dependencies, open, asked, limits)
    if (bodyBytes === 0) {
      const told = await target
      handedOver = true
      await settlePosition(open, told)
      return sendAppended(res, upload, offsetBytes)
    }
    const body = { offsetBytes, bodyBytes, limits }
    const reservation = await reserveBody(dependencies.store, open, body)
    handedOver = true
    const result = await open.append(req, { reservation, target, ...(checksum && { checksum }) })
    if (result.end === 'overflow') {
      throw new AppError(upload.lengthBytes === null ? 'share_too_large' : 'upload_length_exceeded')
    }
    if (result.end === 'cut') throw new AppError('upload_interrupted')
    sendAppended(res, upload, result.offsetBytes)
  } finally {
    if (!handedOver) await open.close()
  }
}

/**
 * What the request before was told lasts for bytes that only lengthen the upload; for those that
 * make it a file it is asked again.
 */
function askTarget(
  { targets }: TusRoutesDependencies,
  { upload, position, told }: OpenUpload,
  bodyBytes: number | null,
): Promise<UploadTarget> {
  const { lengthBytes } = upload
  const isOnTheWay =
    lengthBytes !== null && bodyBytes !== null && position.offsetBytes + bodyBytes < lengthBytes
  return told && isOnTheWay ? targets.confirm(upload, told) : targets.ask(upload)
}

/**
 * An upload that was wanted a moment ago most likely still is: its body need not wait to be read,
 * only to be stored. How long a body of unknown length may be depends on the share.
 */
async function limitsOf(
  { quotas }: TusRoutesDependencies,
  { told, upload }: OpenUpload,
  target: Promise<UploadTarget>,
): Promise<Limits> {
  if (told && upload.lengthBytes !== null) return noLimits
  return quotas.limitsOf(upload.chargedTo, { maxShareBytes: (await target).maxSizeBytes })
}

/** Refuses a body that does not belong at the upload's present end. */
async function admitAppend(
  dependencies: TusRoutesDependencies,
  open: OpenUpload,
  { claimedOffset, declaredLength, bodyBytes }: AppendRequest,
  limits: Limits,
): Promise<Upload> {
  if (open.upload.kind === 'direct') throw new AppError('upload_not_found')
  if (open.upload.kind === 'final') throw new AppError('upload_is_final')
  if (claimedOffset !== open.position.offsetBytes) throw new AppError('upload_offset_conflict')
  const upload = await declareLength(dependencies, open, declaredLength, limits)
  if (isComplete(upload) && bodyBytes !== 0) throw new AppError('upload_length_exceeded')
  return upload
}

/** tus creation-defer-length: the length may be told once, with any PATCH. */
async function declareLength(
  { store }: TusRoutesDependencies,
  open: OpenUpload,
  declaredLength: number | null,
  limits: Limits,
): Promise<Upload> {
  const { upload, lease, position } = open
  if (declaredLength === null || declaredLength === upload.lengthBytes) return upload
  if (upload.lengthBytes !== null) throw new AppError('upload_length_conflict')
  if (declaredLength < position.offsetBytes) throw new AppError('upload_length_exceeded')
  open.upload = await store.declareLength(lease, declaredLength, limits)
  return open.upload
}

function sendAppended(res: Response, upload: Upload, offsetBytes: number): void {
  setTusHeaders(res)
  res.set('Upload-Offset', String(offsetBytes))
  res.set('Upload-Expires', upload.expiresAt.toUTCString())
  res.status(204).end()
}

/** A finished upload is a file: it may be taken back only while its share is open. */
async function takeBack(dependencies: TusRoutesDependencies, upload: Upload): Promise<boolean> {
  const { id, kind, shareUid, fileId } = upload
  if (kind === 'partial' || shareUid === null) return dependencies.discard(id)
  const { edition, isPublished } = await dependencies.targets.ask(upload)
  return removeFile(dependencies, { shareUid, edition, isPublished }, fileId)
}

async function terminateUpload(dependencies: TusRoutesDependencies, res: Response, upload: Upload) {
  const isEnded =
    !isComplete(upload) && (await dependencies.discard(upload.id, { unfinishedOnly: true }))
  if (!isEnded && !(await takeBack(dependencies, upload))) throw new AppError('upload_not_found')
  setTusHeaders(res)
  res.status(204).end()
}
