import {
  directUploadHeadersSchema,
  directUploadRoutes,
  directUploadSchema,
  type DirectShareTerms,
  type RequestCredentials,
  type SharePort,
  type UploadGrant,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import {
  implement,
  type ImplementedRoute,
  requestCredentials,
  requestLanguage,
  validate,
} from '@floe/http'
import type { ObjectStore } from '@floe/storage'
import type { Request, Response } from 'express'
import { type Quotas, requireSpace } from '../../quotas/domain/quotas.ts'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import { draftUpload, fitsInOneGo, receiveSmallFile } from '../domain/begin-upload.ts'
import { discardStaged, type DiscardUpload } from '../domain/discard-upload.ts'
import { reserveBody } from '../domain/reserve-body.ts'
import type { SmallFiles } from '../domain/small-files.ts'
import type { NewUpload, UploadStore } from '../domain/upload-ports.ts'
import type { UploadTarget, UploadTargets } from '../domain/upload-targets.ts'
import type { Uploads } from '../domain/uploads.ts'
import { requirePlainBody } from './require-plain-body.ts'

export interface DirectUploadDependencies {
  share: Pick<SharePort, 'authorizeShare' | 'beginShare' | 'completeShare' | 'abandonShare'>
  store: Pick<UploadStore, 'create' | 'reserve'>
  objects: Pick<ObjectStore, 'remove'>
  uploads: Uploads
  targets: Pick<UploadTargets, 'granted'>
  quotas: Pick<Quotas, 'limitsOf'>
  smallFiles: SmallFiles
  discard: DiscardUpload
  meter: TransferMeter
  log: { warn(fields: object, text: string): void }
}

/** One request that is one share of one file: `curl -T`. */
export function createDirectUploadRoutes(deps: DirectUploadDependencies): ImplementedRoute[] {
  const authorize = async ({ req }: { req: Request }) => {
    const credentials = requestCredentials(req, '')
    await deps.share.authorizeShare({ credentials })
    requirePlainBody(req)
    return credentials
  }
  const receive = async (
    { req, res, params: { name } }: { req: Request; res: Response; params: { name: string } },
    credentials: RequestCredentials,
  ) => {
    const terms = readTerms(req)
    const { id, ...completed } = await shareFile(deps, req, { name, terms, credentials })
    res.status(201).location(completed.url)
    if (prefersJson(req)) res.json(directUploadSchema.parse({ id, ...completed }))
    else res.type('text/plain').send(`${completed.url}\n`)
  }
  return [
    implement(directUploadRoutes.putFile, authorize, receive),
    implement(directUploadRoutes.postFile, authorize, receive),
  ]
}

function prefersJson(req: Request): boolean {
  return /\bapplication\/json\b/i.test(req.get('Accept') ?? '')
}

/** Node reads headers as Latin-1; what clients send is UTF-8. */
function readTerms(req: Request): DirectShareTerms {
  const names = Object.keys(directUploadHeadersSchema.shape)
  const given = names.flatMap((name) => {
    const value = req.get(name)
    return value === undefined ? [] : [[name, Buffer.from(value, 'latin1').toString()] as const]
  })
  const headers = validate(directUploadHeadersSchema, Object.fromEntries(given))
  return {
    id: headers['x-share-id'],
    expiration: headers['x-expires'],
    name: headers['x-name'],
    description: headers['x-description'],
    recipients: headers['x-recipients'] ?? [],
    security: { password: headers['x-password'], maxViews: headers['x-max-views'] },
  }
}

interface DirectFile {
  name: string
  terms: DirectShareTerms
  credentials: RequestCredentials
}

/** All of it, or nothing: what fails leaves neither a share nor a file. */
async function shareFile(
  deps: DirectUploadDependencies,
  req: Request,
  { name, terms, credentials: caller }: DirectFile,
) {
  const { share, targets, quotas } = deps
  const asked = { terms, credentials: caller, language: requestLanguage(req) }
  const { grant, ownerToken } = await share.beginShare(asked)
  const { shareId } = grant
  const credentials = { ...caller, ownerToken }
  try {
    const limits = await quotas.limitsOf(grant.chargedTo, { maxShareBytes: grant.maxSizeBytes })
    const lengthBytes = readLength(req)
    requireSpace(limits, lengthBytes)
    const draft = draftUpload({ grant, name, lengthBytes, limits })
    await receiveFile(deps, req, { draft, target: targets.granted(grant) })
    const { expiration } = terms
    return { id: shareId, ...(await share.completeShare({ shareId, expiration, credentials })) }
  } catch (error) {
    await abandon(deps, grant, credentials)
    throw error
  }
}

async function abandon(
  { share, log }: DirectUploadDependencies,
  { shareUid, shareId }: UploadGrant,
  credentials: RequestCredentials,
): Promise<void> {
  try {
    await share.abandonShare({ shareId, credentials })
  } catch (err) {
    // Nobody sees it, and it goes with all that are never completed.
    log.warn({ err, shareUid }, 'could not delete the share of a failed upload')
  }
}

/** Null when the request does not say. */
function readLength(req: Request): number | null {
  if (req.get('Transfer-Encoding') !== undefined) return null
  return Number(req.get('Content-Length') ?? 0)
}

async function receiveFile(
  deps: DirectUploadDependencies,
  req: Request,
  { draft, target }: { draft: NewUpload; target: UploadTarget },
): Promise<void> {
  const { store, uploads, smallFiles, meter, discard, objects } = deps
  const { lengthBytes, limits } = draft
  if (lengthBytes === 0 || fitsInOneGo(lengthBytes, lengthBytes)) {
    await receiveSmallFile(draft, req, { smallFiles, meter, target })
    return
  }
  const upload = await store.create(draft, { durable: true })
  try {
    const open = await uploads.open(upload.id, 'append')
    let handedOver = false
    try {
      const request = { offsetBytes: 0, bodyBytes: lengthBytes, limits }
      const reservation = await reserveBody(store, open, request)
      handedOver = true
      const { end } = await open.append(req, { reservation, target, isLast: true })
      if (end === 'overflow') throw new AppError('share_too_large')
      if (end === 'cut') throw new AppError('upload_interrupted')
    } finally {
      if (!handedOver) await open.close()
    }
  } catch (error) {
    await discardStaged({ discard, objects }, upload)
    throw error
  }
}
