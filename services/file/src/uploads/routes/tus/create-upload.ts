import type { TransferMeter } from '../../../transfers/domain/transfer-meter.ts'
import type { SmallFiles } from '../../domain/small-files.ts'
import type { UploadStore } from '../../domain/upload-ports.ts'
import type { Uploads } from '../../domain/uploads.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  type AdminPort,
  type AuthPort,
  type SharePort,
  type UploadGrant,
  UPLOADS_PATH,
  uploadRoutes,
} from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import { newObjectKey, type ObjectStore } from '@floe/storage'
import type { Request, Response } from 'express'
import {
  type BeginOptions,
  draftUpload,
  fitsInOneGo,
  receiveSmallFile,
} from '../../domain/begin-upload.ts'
import {
  concatenateUploads,
  type ConcatenationDependencies,
} from '../../domain/concatenate-uploads.ts'
import { type Limits, type Quotas, requireSpace } from '../../../quotas/domain/quotas.ts'
import { reserveBody } from '../../domain/reserve-body.ts'
import type { AppendResult } from '../../domain/append-body.ts'
import { startDigest } from '../../domain/checksum.ts'
import type { Upload } from '../../domain/upload.ts'
import type { UploadTarget } from '../../domain/upload-targets.ts'
import { requireUser } from '../../../request.ts'
import { guarded } from './guarded.ts'
import {
  decodeMetadata,
  readByteCount,
  readChecksum,
  readConcatenation,
  readMetadata,
  readUploadLength,
  requireContentType,
  requireTusVersion,
  setTusHeaders,
} from './headers.ts'

export interface CreateUploadDependencies extends ConcatenationDependencies {
  auth: Pick<AuthPort, 'identify' | 'storageLimit'>
  share: Pick<SharePort, 'authorizeUpload'>
  admin: Pick<AdminPort, 'settings'>
  store: Pick<UploadStore, 'create' | 'find' | 'finish' | 'reserve'>
  objects: Pick<ObjectStore, 'concatenate'>
  smallFiles: SmallFiles
  uploads: Uploads
  quotas: Pick<Quotas, 'limitsOf'>
  meter: TransferMeter
}

/** POST: creation, creation-with-upload, creation-defer-length and concatenation. */
export function createUploadRoute(dependencies: CreateUploadDependencies): ImplementedRoute {
  return implement(
    uploadRoutes.createUpload,
    guarded(async ({ req, res }) => {
      requireTusVersion(req, res)
      return findOwner(dependencies, req)
    }),
    guarded(async (call, owner) => {
      const { req, res } = call
      const concatenation = readConcatenation(req)
      if (concatenation?.kind === 'final') {
        if (readByteCount(req, 'Upload-Length') !== null) {
          throw new AppError('validation_failed', {
            issues: ['Upload-Length: must not be sent with a final upload'],
          })
        }
        const begin = await planFile(dependencies, req, owner, null)
        const upload = await concatenateUploads(dependencies, begin, concatenation.uploadIds)
        return sendCreated(res, upload, upload.lengthBytes)
      }
      const lengthBytes = readLength(req)
      if (concatenation?.kind === 'partial')
        return createPartial(dependencies, call, owner, lengthBytes)
      return createFile(dependencies, call, owner, lengthBytes)
    }),
  )
}

interface UploadCall {
  req: Request
  res: Response
}

/** Whose upload it is: by the share it is for, or of an account. */
type UploadOwner = UploadGrant | AccountOwner

interface AccountOwner {
  shareUid: null
  shareId: null
  userId: string
  chargedTo: string
  maxSizeBytes: number
  edition: number
}

/**
 * By the share in the metadata, unread for the rest. Clients send partial uploads without metadata,
 * so a signed-in sender needs no share; without an account the share's own cookie must come along.
 */
async function findOwner(
  { auth, share, admin }: CreateUploadDependencies,
  req: Request,
): Promise<UploadOwner> {
  const shareId = namedShareId(req)
  if (shareId !== undefined) {
    return share.authorizeUpload({ shareId, credentials: requestCredentials(req, shareId) })
  }
  const { userId } = await requireUser(auth)({ req })
  const [{ maxShareBytes }, settings] = await Promise.all([
    auth.storageLimit({ userId }),
    admin.settings({}),
  ])
  const maxSizeBytes = maxShareBytes ?? settings['share.maxSize']
  return { shareUid: null, shareId: null, userId, chargedTo: userId, maxSizeBytes, edition: 0 }
}

/** Metadata that cannot be read names no share; a sender who is let in learns that it is broken. */
function namedShareId(req: Request): string | undefined {
  try {
    return decodeMetadata(req.get('Upload-Metadata'))['shareId']
  } catch (error) {
    if (isAppError(error, 'validation_failed')) return undefined
    throw error
  }
}

async function createFile(
  dependencies: CreateUploadDependencies,
  { req, res }: UploadCall,
  owner: UploadOwner,
  lengthBytes: number | null,
): Promise<void> {
  const bodyBytes = readBodyBytes(req, lengthBytes)
  const checksum = readChecksum(req)
  const begin = await planFile(dependencies, req, owner, lengthBytes)
  const target = dependencies.targets.granted(begin.grant)
  const draft = draftUpload(begin)
  if (lengthBytes === 0 || (bodyBytes !== 0 && fitsInOneGo(lengthBytes, bodyBytes))) {
    const upload = await receiveSmallFile(draft, req, {
      smallFiles: dependencies.smallFiles,
      meter: dependencies.meter,
      target,
      ...(checksum && {
        verify: (body) => {
          const digest = startDigest(checksum)
          body.forEach((chunk) => digest.update(chunk))
          if (!digest.matches()) throw new AppError('upload_checksum_mismatch')
        },
      }),
    })
    return sendCreated(res, upload, lengthBytes)
  }
  const upload = await dependencies.store.create(draft, { durable: true })
  if (bodyBytes === 0) return sendCreated(res, upload, 0)
  await appendFirstBytes(dependencies, req, res, upload, {
    bodyBytes,
    target,
    limits: draft.limits,
  })
}

interface FirstBytes {
  bodyBytes: number | null
  target: UploadTarget
  limits: Limits
}

/** The rest of creation-with-upload: the sender learns the URL only with the response. */
async function appendFirstBytes(
  dependencies: CreateUploadDependencies,
  req: Request,
  res: Response,
  upload: Upload,
  body: FirstBytes,
): Promise<void> {
  try {
    const { offsetBytes, end } = await receiveFirstBytes(dependencies, req, upload, body)
    if (end === 'overflow') {
      throw new AppError(upload.lengthBytes === null ? 'share_too_large' : 'upload_length_exceeded')
    }
    if (end === 'cut') throw new AppError('upload_interrupted')
    sendCreated(res, upload, offsetBytes)
  } catch (error) {
    // Nobody can come back for an upload whose URL was never told.
    await dependencies.discard(upload.id).catch(() => undefined)
    throw error
  }
}

async function receiveFirstBytes(
  { uploads, store }: CreateUploadDependencies,
  req: Request,
  { id }: Upload,
  { bodyBytes, target, limits }: FirstBytes,
): Promise<AppendResult> {
  const checksum = readChecksum(req)
  const open = await uploads.open(id, 'append')
  let handedOver = false
  try {
    const reservation = await reserveBody(store, open, { offsetBytes: 0, bodyBytes, limits })
    handedOver = true
    return await open.append(req, { reservation, target, ...(checksum && { checksum }) })
  } finally {
    if (!handedOver) await open.close()
  }
}

async function createPartial(
  dependencies: CreateUploadDependencies,
  { req, res }: UploadCall,
  owner: UploadOwner,
  lengthBytes: number | null,
): Promise<void> {
  const bodyBytes = readBodyBytes(req, lengthBytes)
  readChecksum(req)
  decodeMetadata(req.get('Upload-Metadata'))
  const partial = {
    id: randomBytes(24).toString('base64url'),
    kind: 'partial' as const,
    fileId: randomUUID(),
    name: 'partial',
    metadata: req.get('Upload-Metadata') ?? null,
    concatenation: 'partial',
    lengthBytes,
    chunkBytes: null,
    objectKey: newObjectKey(),
  }
  const limits = await limitsOf(dependencies, owner)
  requireSpace(limits, lengthBytes)
  const upload = await dependencies.store.create(
    {
      ...partial,
      shareUid: null,
      shareId: owner.shareId,
      userId: owner.userId,
      chargedTo: owner.chargedTo,
      reservedBytes: lengthBytes ?? 0,
      limits,
    },
    { durable: true },
  )
  if (bodyBytes === 0 && lengthBytes !== 0) return sendCreated(res, upload, 0)
  const target = dependencies.targets.granted(owner)
  await appendFirstBytes(dependencies, req, res, upload, { bodyBytes, target, limits })
}

function limitsOf(
  { quotas }: CreateUploadDependencies,
  { chargedTo, maxSizeBytes }: Pick<UploadOwner, 'chargedTo' | 'maxSizeBytes'>,
): Promise<Limits> {
  return quotas.limitsOf(chargedTo, { maxShareBytes: maxSizeBytes })
}

async function planFile(
  dependencies: CreateUploadDependencies,
  req: Request,
  grant: UploadOwner,
  lengthBytes: number | null,
): Promise<BeginOptions> {
  const { filename, relativePath } = readMetadata(req)
  // The metadata names a share by now, and so the grant is one for it.
  if (grant.shareUid === null) throw new AppError('share_not_found')
  const limits = await limitsOf(dependencies, grant)
  requireSpace(limits, lengthBytes)
  const metadata = req.get('Upload-Metadata')
  const concatenation = req.get('Upload-Concat')
  return {
    grant,
    name: relativePath ?? filename,
    lengthBytes,
    limits,
    ...(metadata !== undefined && { metadata }),
    ...(concatenation !== undefined && { concatenation }),
  }
}

function readLength(req: Request): number | null {
  const lengthBytes = readUploadLength(req)
  const deferred = req.get('Upload-Defer-Length')
  if ((lengthBytes === null) === (deferred === undefined) || (deferred ?? '1') !== '1') {
    throw new AppError('validation_failed', {
      issues: ['Upload-Length: send either Upload-Length or Upload-Defer-Length: 1'],
    })
  }
  return lengthBytes
}

/** 0 without a body; null when its length is not known ahead. */
function readBodyBytes(req: Request, lengthBytes: number | null): number | null {
  const chunked = req.get('Transfer-Encoding') !== undefined
  const bodyBytes = chunked ? null : (readByteCount(req, 'Content-Length') ?? 0)
  if (bodyBytes === 0) return 0
  requireContentType(req)
  if (bodyBytes !== null && lengthBytes !== null && bodyBytes > lengthBytes) {
    throw new AppError('upload_length_exceeded')
  }
  return bodyBytes
}

function sendCreated(res: Response, upload: Upload, offsetBytes: number | null): void {
  setTusHeaders(res)
  res.set('Location', `${UPLOADS_PATH}/${upload.id}`)
  res.set('Upload-Offset', String(offsetBytes ?? 0))
  res.set('Upload-Expires', upload.expiresAt.toUTCString())
  res.status(201).end()
}
