import { BATCH_TYPE, fileRoutes, type SharePort, type UploadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestCredentials } from '@floe/http'
import { createFairQueue } from '@floe/limits'
import type { Request } from 'express'
import type { Quotas } from '../../quotas/domain/quotas.ts'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import { receiveBody } from '@floe/transfer'
import { type RefusedFile, storeBatch, type StoreBatchDependencies } from '../domain/store-batch.ts'
import type { UploadTargets } from '../domain/upload-targets.ts'
import { MOST_BODY_BYTES, readBatchBody } from './batch-body.ts'
import { requirePlainBody } from './require-plain-body.ts'

export interface BatchRouteDependencies extends StoreBatchDependencies {
  share: Pick<SharePort, 'authorizeUpload'>
  targets: Pick<UploadTargets, 'confirm' | 'granted'>
  quotas: Pick<Quotas, 'limitsOf'>
  meter: TransferMeter
  log: { info(fields: object, text: string): void }
}

/** Batches are held in memory whole, so only so many at once. */
const BATCHES_AT_ONCE = 12
/** A sender who holds one of these places has to make use of it. */
const MOST_SILENCE_MS = 15_000
const MOST_RECEIVING_MS = 180_000

/** Many small files in one request: `packages/contracts/src/batches.ts` has the format. */
export function createBatchRoute(dependencies: BatchRouteDependencies): ImplementedRoute {
  const inTurn = createFairQueue(BATCHES_AT_ONCE)
  return implement(
    fileRoutes.uploadBatch,
    async ({ req, params: { shareId } }) => {
      const grant = await dependencies.share.authorizeUpload({
        shareId,
        credentials: requestCredentials(req, shareId),
      })
      requireBatch(req)
      return grant
    },
    async ({ req }, grant) => ({
      refused: await inTurn(grant.shareUid, () => receiveBatch(dependencies, req, grant)),
    }),
  )
}

function requireBatch(req: Request): void {
  requirePlainBody(req)
  if (req.get('Content-Type') !== BATCH_TYPE) throw new AppError('unsupported_media_type')
  if (Number(req.get('Content-Length') ?? 0) > MOST_BODY_BYTES) {
    throw new AppError('payload_too_large')
  }
}

async function receiveBatch(
  dependencies: BatchRouteDependencies,
  req: Request,
  grant: UploadGrant,
): Promise<RefusedFile[]> {
  const { targets, quotas, log } = dependencies
  const target = targets.granted(grant)
  const limits = await quotas.limitsOf(grant.chargedTo, { maxShareBytes: grant.maxSizeBytes })
  const files = readBatchBody(await receiveWhole(req, dependencies.meter))
  const refused = await storeBatch(dependencies, { grant, limits, target, files })
  const { shareUid } = grant
  log.info({ shareUid, files: files.length, refused: refused.length }, 'batch stored')
  return refused
}

async function receiveWhole(req: Request, meter: TransferMeter): Promise<Buffer> {
  const announcedBytes = Number(req.get('Content-Length') ?? MOST_BODY_BYTES)
  const body = Buffer.allocUnsafeSlow(announcedBytes)
  let receivedBytes = 0
  const transfer = meter.transferBegins('upload')
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), MOST_SILENCE_MS)
  const end = await receiveBody(req, {
    batch: { batchBytes: 64 * 1024 },
    maxBytes: announcedBytes,
    signal: AbortSignal.any([silence.signal, AbortSignal.timeout(MOST_RECEIVING_MS)]),
    onArrival: () => timer.refresh(),
    onBatch: (chunks, bytes) => {
      for (const chunk of chunks) receivedBytes += chunk.copy(body, receivedBytes)
      transfer.moved(bytes)
      return Promise.resolve()
    },
  }).finally(() => {
    clearTimeout(timer)
    transfer.end()
  })
  if (end === 'overflow') throw new AppError('payload_too_large')
  if (end === 'cut') throw new AppError('upload_interrupted', { detail: 'body ended early' })
  return body.subarray(0, receivedBytes)
}
