import type { Readable } from 'node:stream'
import type { ObjectStore, Position } from '@floe/storage'
import type { TransferMemory } from '@floe/transfer'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import { appendBody, type AppendOptions, type AppendResult } from './append-body.ts'
import type { HeldLease } from './lease-keeper.ts'
import type { PausedUpload, PausedUploads } from './paused-uploads.ts'
import { syncedPosition } from './stored-position.ts'
import type { UploadProgress } from './upload-ports.ts'
import type { UploadTarget, UploadTargets } from './upload-targets.ts'
import { isComplete, type Upload, UPLOAD_LIFETIME_MS } from './upload.ts'

/** An upload that this request holds, until one of `append`, `finish` and `close` ends it. */
export interface OpenUpload {
  /** Replaced when its length is declared. */
  upload: Upload
  /** Where its bytes go, as the request before was told; null if that one did not leave it open. */
  readonly told: UploadTarget | null
  readonly lease: HeldLease
  readonly position: Position
  /** Reads the body onto the object's end; acknowledges nothing that is not stored. */
  append(body: Readable, options: AppendOptions): Promise<AppendResult>
  /** Completes the upload at its present end. */
  finish(target: UploadTarget): Promise<void>
  /** Gives the upload back without having written. */
  close(): Promise<void>
}

export interface OpenUploadDependencies {
  store: Pick<UploadProgress, 'saveCheckpoint' | 'finish'>
  objects: Pick<ObjectStore, 'openWriter'>
  memory: TransferMemory
  targets: Pick<UploadTargets, 'ask' | 'confirm'>
  bootId: string
  meter: TransferMeter
  clock: () => Date
  paused: Pick<PausedUploads, 'keep'>
}

export interface HeldUpload {
  lease: HeldLease
  upload: Upload
  /** What the request before left open; null if the object is still to be opened. */
  paused: Pick<PausedUpload, 'writer' | 'target'> | null
}

export function openUpload(
  dependencies: OpenUploadDependencies,
  held: HeldUpload,
  { offsetBytes, crc32 }: Position,
): OpenUpload {
  const { store, objects, memory, targets, bootId, meter, clock, paused } = dependencies
  const { lease } = held
  const start: Position = { offsetBytes, crc32 }
  let rowReleased = false
  const onRowReleased = () => {
    rowReleased = true
  }
  const openWriter = async () =>
    held.paused?.writer ?? (await objects.openWriter(open.upload.objectKey, start))

  async function append(body: Readable, options: AppendOptions): Promise<AppendResult> {
    const share = memory.join()
    const transfer = meter.transferBegins('upload')
    let isPaused = false
    try {
      const writer = await openWriter()
      try {
        const { upload } = open
        const { moved: onMoved } = transfer
        const parts = { store, objects, targets, bootId, upload, lease, start, writer, share }
        const appended = await appendBody({ ...parts, onMoved, onRowReleased }, body, options)
        const { checkpoint, ...result } = appended
        if (checkpoint) {
          const expiresAt = new Date(clock().getTime() + UPLOAD_LIFETIME_MS)
          const target = await options.target
          paused.keep({ upload: { ...upload, checkpoint, expiresAt }, lease, writer, target })
          isPaused = true
        }
        return result
      } finally {
        if (!isPaused) await writer.close()
      }
    } finally {
      share.leave()
      transfer.end()
      if (!isPaused) await lease.end({ rowReleased })
    }
  }

  async function finish(target: UploadTarget): Promise<void> {
    try {
      const writer = await openWriter()
      try {
        await writer.finish()
      } finally {
        await writer.close()
      }
      const { edition } = await targets.confirm(open.upload, target)
      await store.finish(lease, { edition, sizeBytes: start.offsetBytes, crc32: start.crc32 })
      onRowReleased()
    } finally {
      await lease.end({ rowReleased })
    }
  }

  async function close(): Promise<void> {
    const { upload } = open
    if (held.paused) return paused.keep({ ...held.paused, upload, lease })
    try {
      if (await saveAdopted(dependencies, { lease, upload }, start)) onRowReleased()
    } finally {
      await lease.end({ rowReleased })
    }
  }

  const { upload } = held
  const told = held.paused?.target ?? null
  const open: OpenUpload = { upload, told, lease, position: start, append, finish, close }
  return open
}

/** Saves bytes that were adopted, so that the next look need not read them again. */
async function saveAdopted(
  { store, bootId }: Pick<OpenUploadDependencies, 'store' | 'bootId'>,
  { lease, upload }: Omit<HeldUpload, 'paused'>,
  start: Position,
): Promise<boolean> {
  const { checkpoint } = upload
  const isAdopted = checkpoint.offsetBytes !== start.offsetBytes && checkpoint.bootId === bootId
  if (!isAdopted || isComplete(upload)) return false
  const synced = syncedPosition(checkpoint, start)
  await store.saveCheckpoint(
    lease,
    {
      ...checkpoint,
      ...start,
      syncedBytes: synced.offsetBytes,
      syncedCrc32: synced.crc32,
    },
    { release: true, durable: false },
  )
  return true
}
