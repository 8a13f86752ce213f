import {
  type AdminPort,
  directUploadRoutes,
  errorEntry,
  RESUMABLE_UPLOADS_PATH,
  type SharePort,
  uploadIdSchema,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { implement, type ImplementedRoute, implementPublic, requestCredentials } from '@floe/http'
import type { Request, Response } from 'express'
import { type Limits, requireSpace } from '../../../quotas/domain/quotas.ts'
import { draftUpload } from '../../domain/begin-upload.ts'
import {
  abandonShare,
  beginShare,
  type DirectShareDependencies,
  type DirectShareRequest,
  requireWhole,
} from '../../domain/direct-share.ts'
import type { OpenUpload } from '../../domain/open-upload.ts'
import { reserveBody } from '../../domain/reserve-body.ts'
import { isComplete, type Upload } from '../../domain/upload.ts'
import type { UploadStore } from '../../domain/upload-ports.ts'
import type { UploadTarget, UploadTargets } from '../../domain/upload-targets.ts'
import { readBodyLength, sendShared } from '../direct-share-request.ts'
import { requirePlainBody } from '../require-plain-body.ts'
import {
  describeLimits,
  PARTIAL_UPLOAD_TYPE,
  readOffset,
  readUploadHeaders,
  sendProblem,
  setProgress,
  takesLengthForEnd,
  tellResumption,
  type UploadHeaders,
} from './headers.ts'

export { asksToBeResumable } from './headers.ts'

export interface ResumableDependencies extends DirectShareDependencies {
  share: DirectShareDependencies['share'] & Pick<SharePort, 'authorizeUpload'>
  admin: Pick<AdminPort, 'settings'>
  store: Pick<UploadStore, 'create' | 'reserve' | 'find' | 'declareLength'>
  targets: Pick<UploadTargets, 'granted' | 'ask'>
}

interface Exchange {
  req: Request
  res: Response
}

interface UploadCall extends Exchange {
  params: { uploadId: string }
}

export interface ResumableUploads {
  /** The first request of a share of one file that may be continued by others. */
  create(first: Exchange & { name: string; request: DirectShareRequest }): Promise<void>
  routes: ImplementedRoute[]
}

/**
 * Resumable uploads for HTTP (draft-ietf-httpbis-resumable-upload), on top of direct uploads: each is
 * a share of one file, which the request that brings the last byte completes. Its address tells how
 * far it is; to append takes its address and being who began it.
 */
export function createResumableUploads(deps: ResumableDependencies): ResumableUploads {
  const find = async ({ params }: Pick<UploadCall, 'params'>) => {
    const { success, data: id } = uploadIdSchema.safeParse(params.uploadId)
    const upload = success ? await deps.store.find(id) : null
    if (upload?.kind !== 'direct') throw new AppError('upload_not_found')
    return upload
  }
  const findOwn = async (call: UploadCall) => {
    const upload = await find(call)
    // A finished one is told apart by its handler; its share may be locked.
    const grant = isComplete(upload) ? null : await authorizeUpload(deps, call.req, upload)
    return { upload, grant }
  }
  return {
    create: async (first) => {
      try {
        await createResumable(deps, first)
      } catch (error) {
        if (!sendProblemOf(first.res, error)) throw error
      }
    },
    routes: [
      implementPublic(directUploadRoutes.describeResumable, async ({ res }) => {
        const { 'share.maxSize': maxSizeBytes } = await deps.admin.settings({})
        res
          .set('Upload-Limit', describeLimits(maxSizeBytes))
          .set('Accept-Patch', PARTIAL_UPLOAD_TYPE)
        res.status(204).end()
      }),
      implement(directUploadRoutes.inspectResumable, find, (call, upload) =>
        inspect(deps, call, upload),
      ),
      implement(directUploadRoutes.appendResumable, findOwn, async (call, { upload, grant }) => {
        if (grant === null) return refuseMore(call)
        await append(deps, call, { upload, grant })
      }),
      implement(directUploadRoutes.terminateResumable, findOwn, async ({ req, res }, own) => {
        const { upload, grant } = own
        if (grant === null) return sendCompleted(res)
        await deps.discard(upload.id, { unfinishedOnly: true })
        await abandonShare(deps, { grant, credentials: credentialsFor(req, upload) })
        res.status(204).end()
      }),
    ],
  }
}

type UploadGrant = Awaited<ReturnType<SharePort['authorizeUpload']>>

function credentialsFor(req: Request, { shareId }: Upload) {
  return requestCredentials(req, shareId ?? '')
}

function authorizeUpload({ share }: ResumableDependencies, req: Request, upload: Upload) {
  const shareId = upload.shareId ?? ''
  return share.authorizeUpload({ shareId, credentials: credentialsFor(req, upload) })
}

async function createResumable(
  deps: ResumableDependencies,
  { req, res, name, request }: Exchange & { name: string; request: DirectShareRequest },
): Promise<void> {
  const headers = readUploadHeaders(req, 0)
  const begun = await beginShare(deps, request)
  const { grant, limits } = begun
  const { lengthBytes } = headers
  const limit = describeLimits(grant.maxSizeBytes)
  // Also for who is told that it is too large.
  res.set('Upload-Limit', limit)
  let upload: Upload
  try {
    requireSpace(limits, lengthBytes)
    const draft = draftUpload({ grant, name, lengthBytes, limits })
    const metadata = request.terms.expiration ?? null
    upload = await deps.store.create({ ...draft, kind: 'direct', metadata }, { durable: true })
  } catch (error) {
    await abandonShare(deps, begun)
    throw error
  }
  const location = `${RESUMABLE_UPLOADS_PATH}/${upload.id}`
  tellResumption(req, res, { location, limits: limit })
  res.location(location)
  const body = { headers, offsetBytes: 0, target: deps.targets.granted(grant), limits }
  try {
    const { offsetBytes, finished } = await appendBody(deps, { req, upload }, body)
    setProgress(res, { offsetBytes, isComplete: finished })
    if (finished) await completeShare(deps, { req, res }, upload, begun.credentials)
    else if (headers.isLast) throw new AppError('upload_length_conflict')
    else res.status(201).end()
  } catch (error) {
    // What can go on is kept, after a fault of ours too; what is refused never will.
    if (isRefusal(error) && !isAppError(error, 'upload_interrupted')) {
      await deps.discard(upload.id)
      await abandonShare(deps, begun)
    }
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return isAppError(error) && errorEntry(error.code).status < 500
}

interface NextBody {
  headers: UploadHeaders
  offsetBytes: number
  target: UploadTarget
  limits: Limits
}

/** What comes is kept, also of a body that is cut. Fails like `UploadStore.reserve`, too. */
async function appendBody(
  deps: ResumableDependencies,
  { req, upload }: Pick<Exchange, 'req'> & { upload: Upload },
  { headers, offsetBytes, target, limits }: NextBody,
) {
  const { uploads, store } = deps
  const open = await uploads.open(upload.id, 'append')
  let handedOver = false
  try {
    requireOffset(open, offsetBytes)
    await declareLength(deps, open, headers.lengthBytes, limits)
    const { bodyBytes, isLast } = headers
    const { lengthBytes } = open.upload
    const reservation = await reserveBody(store, open, { offsetBytes, bodyBytes, limits })
    handedOver = true
    const result = await open.append(req, { reservation, target, isLast })
    if (result.end === 'overflow' && lengthBytes !== null) {
      throw new AppError('upload_length_exceeded')
    }
    requireWhole(result)
    return result
  } finally {
    if (!handedOver) await open.close()
  }
}

function requireOffset({ position: { offsetBytes } }: OpenUpload, providedBytes: number): void {
  if (offsetBytes === providedBytes) return
  const members = { 'expected-offset': offsetBytes, 'provided-offset': providedBytes }
  throw new AppError('upload_offset_conflict', { members })
}

async function declareLength(
  { store }: ResumableDependencies,
  open: OpenUpload,
  lengthBytes: number | null,
  limits: Limits,
): Promise<void> {
  const { upload, lease, position } = open
  if (lengthBytes === null || lengthBytes === upload.lengthBytes) return
  const isInconsistent = upload.lengthBytes !== null || lengthBytes < position.offsetBytes
  if (isInconsistent) throw new AppError('upload_length_conflict')
  open.upload = await store.declareLength(lease, lengthBytes, limits)
}

async function append(
  deps: ResumableDependencies,
  { req, res }: UploadCall,
  { upload, grant }: { upload: Upload; grant: UploadGrant },
): Promise<void> {
  const type = (req.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== PARTIAL_UPLOAD_TYPE) throw new AppError('unsupported_media_type')
  requirePlainBody(req)
  const offsetBytes = readOffset(req)
  const { quotas, targets } = deps
  const limits = await quotas.limitsOf(grant.chargedTo, { maxShareBytes: grant.maxSizeBytes })
  res.set('Upload-Limit', describeLimits(grant.maxSizeBytes))
  try {
    const headers = readUploadHeaders(req, offsetBytes)
    const body = { headers, offsetBytes, target: targets.granted(grant), limits }
    const result = await appendBody(deps, { req, upload }, body)
    setProgress(res, { offsetBytes: result.offsetBytes, isComplete: result.finished })
    if (result.finished) {
      await completeShare(deps, { req, res }, upload, credentialsFor(req, upload))
    } else if (headers.isLast) throw new AppError('upload_length_conflict')
    else res.status(204).end()
  } catch (error) {
    if (isAppError(error, 'upload_length_exceeded')) {
      // Nobody knows what it is any more: the draft wants it gone.
      await deps.discard(upload.id, { unfinishedOnly: true })
      await abandonShare(deps, { grant, credentials: credentialsFor(req, upload) })
    }
    if (!sendProblemOf(res, error)) throw error
  }
}

/** Refusals for which the draft has a type. */
function sendProblemOf(res: Response, error: unknown): boolean {
  if (isAppError(error, 'upload_offset_conflict')) {
    const title = 'The bytes do not begin where the upload ends'
    const { members } = error
    res.set('Upload-Offset', String(members?.['expected-offset']))
    sendProblem(res, { error, status: 409, type: 'mismatching-upload-offset', title, members })
    return true
  }
  const isLength =
    isAppError(error, 'upload_length_conflict') || isAppError(error, 'upload_length_exceeded')
  if (!isLength) return false
  sendInconsistentLength(res, error)
  return true
}

function sendInconsistentLength(res: Response, error: AppError): void {
  const title = 'The upload has another length'
  sendProblem(res, { error, status: 400, type: 'inconsistent-upload-length', title })
}

/** For an upload that is complete: a request without a body asks for what is there already. */
function refuseMore({ req, res }: Exchange): void {
  if (readBodyLength(req) === 0) return sendCompleted(res)
  res.set('Upload-Complete', '?1')
  sendInconsistentLength(res, new AppError('upload_length_exceeded'))
}

function sendCompleted(res: Response): void {
  const error = new AppError('upload_length_exceeded')
  res.set('Upload-Complete', '?1')
  sendProblem(res, {
    error,
    status: 400,
    type: 'completed-upload',
    title: 'The upload is complete',
  })
}

async function completeShare(
  { share }: ResumableDependencies,
  { req, res }: Exchange,
  { shareId, metadata }: Upload,
  credentials: DirectShareRequest['credentials'],
): Promise<void> {
  const id = shareId ?? ''
  const expiration = metadata ?? undefined
  const completed = await share.completeShare({ shareId: id, expiration, credentials })
  sendShared(req, res, { id, ...completed })
}

/**
 * Also makes the share of an upload that is complete and whose last response was lost, perhaps with
 * its process, and tells its link to who began it.
 */
async function inspect(
  deps: ResumableDependencies,
  { req, res, params }: UploadCall,
  known: Upload,
): Promise<void> {
  const { upload, offsetBytes, maxSizeBytes } = isComplete(known)
    ? { upload: known, offsetBytes: known.checkpoint.offsetBytes, maxSizeBytes: 0 }
    : await look(deps, { req, id: params.uploadId, known })
  res.set('Upload-Limit', describeLimits(maxSizeBytes))
  setProgress(res, { offsetBytes, isComplete: isComplete(upload) })
  if (upload.lengthBytes !== null) res.set('Upload-Length', String(upload.lengthBytes))
  if (isComplete(upload)) {
    const link = await tellLink(deps, req, upload)
    if (link !== null) res.location(link)
  }
  res.status(204).end()
}

async function look(
  { targets, uploads }: ResumableDependencies,
  { req, id, known }: { req: Request; id: string; known: Upload },
) {
  const target = await targets.ask(known)
  const { maxSizeBytes } = target
  const open = await uploads.open(id, 'take')
  const { upload, position } = open
  const { offsetBytes } = position
  const isWhole = offsetBytes === upload.lengthBytes && !isComplete(upload)
  if (!isWhole || !takesLengthForEnd(req)) {
    await open.close()
    return { upload, offsetBytes, maxSizeBytes }
  }
  await open.finish(target)
  return { upload: { ...upload, finishedAt: new Date() }, offsetBytes, maxSizeBytes }
}

/** Null for others than who began it. */
async function tellLink(
  { share }: ResumableDependencies,
  req: Request,
  upload: Upload,
): Promise<string | null> {
  const expiration = upload.metadata ?? undefined
  const credentials = credentialsFor(req, upload)
  try {
    const shareId = upload.shareId ?? ''
    return (await share.completeShare({ shareId, expiration, credentials })).url
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}
