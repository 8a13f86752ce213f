import type { Readable } from 'node:stream'
import type {
  DirectShareTerms,
  Language,
  RequestCredentials,
  SharePort,
  UploadGrant,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { ObjectStore } from '@floe/storage'
import type { Limits, Quotas } from '../../quotas/domain/quotas.ts'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import type { AppendResult } from './append-body.ts'
import { draftUpload, fitsInOneGo, receiveSmallFile } from './begin-upload.ts'
import { discardStaged, type DiscardUpload } from './discard-upload.ts'
import { reserveBody } from './reserve-body.ts'
import type { SmallFiles } from './small-files.ts'
import type { UploadStore } from './upload-ports.ts'
import type { UploadTargets } from './upload-targets.ts'
import type { Uploads } from './uploads.ts'

export interface DirectShareDependencies {
  share: Pick<SharePort, 'beginShare' | 'completeShare' | 'abandonShare'>
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

/** Who makes a share, and how it is to be. */
export interface DirectShareRequest {
  terms: DirectShareTerms
  credentials: RequestCredentials
  language: Language | null
}

/** A share that is being made: nobody sees it yet. */
export interface BegunShare {
  grant: UploadGrant
  limits: Limits
  /** Of its maker, to be sent with what follows. */
  credentials: RequestCredentials
}

export type SharedFiles = { id: string } & Awaited<ReturnType<SharePort['completeShare']>>

/** Fails like `SharePort.beginShare`. */
export async function beginShare(
  { share, quotas }: DirectShareDependencies,
  { credentials: caller, ...asked }: DirectShareRequest,
): Promise<BegunShare> {
  const { grant, ownerToken } = await share.beginShare({ ...asked, credentials: caller })
  const credentials = { ...caller, ownerToken }
  const limits = await quotas.limitsOf(grant.chargedTo, { maxShareBytes: grant.maxSizeBytes })
  return { grant, limits, credentials }
}

/** All of what `receive` takes becomes a share; where it fails, neither share nor file is left. */
export async function shareFiles(
  dependencies: DirectShareDependencies,
  request: DirectShareRequest,
  receive: (begun: BegunShare) => Promise<void>,
): Promise<SharedFiles> {
  const begun = await beginShare(dependencies, request)
  const { credentials } = begun
  const { shareId } = begun.grant
  const { expiration } = request.terms
  try {
    await receive(begun)
    const shared = await dependencies.share.completeShare({ shareId, expiration, credentials })
    return { id: shareId, ...shared }
  } catch (error) {
    await abandonShare(dependencies, begun)
    throw error
  }
}

export async function abandonShare(
  { share, log }: Pick<DirectShareDependencies, 'share' | 'log'>,
  { grant: { shareId, shareUid }, credentials }: Omit<BegunShare, 'limits'>,
): Promise<void> {
  try {
    await share.abandonShare({ shareId, credentials })
  } catch (err) {
    // Nobody sees it, and it goes with all that are never completed.
    log.warn({ err, shareUid }, 'could not delete the share of a failed upload')
  }
}

/**
 * One file of it. `lengthBytes` is null where nobody says how long it is. Fails with
 * upload_interrupted when the sender goes away, and where there is no space.
 */
export async function receiveFile(
  dependencies: DirectShareDependencies,
  { grant, limits }: BegunShare,
  { name, lengthBytes, body }: { name: string; lengthBytes: number | null; body: Readable },
): Promise<void> {
  const { store, uploads, smallFiles, meter, discard, objects, targets } = dependencies
  const draft = draftUpload({ grant, name, lengthBytes, limits })
  const target = targets.granted(grant)
  if (lengthBytes === 0 || fitsInOneGo(lengthBytes, lengthBytes)) {
    await receiveSmallFile(draft, body, { smallFiles, meter, target })
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
      requireWhole(await open.append(body, { reservation, target, isLast: true }))
    } finally {
      if (!handedOver) await open.close()
    }
  } catch (error) {
    await discardStaged({ discard, objects }, upload)
    throw error
  }
}

/** Fails with share_too_large, upload_interrupted. */
export function requireWhole({ end }: AppendResult): void {
  if (end === 'overflow') throw new AppError('share_too_large')
  if (end === 'cut') throw new AppError('upload_interrupted')
}
