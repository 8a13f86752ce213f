import { crc32 } from 'node:zlib'
import { AppError } from '@floe/errors'
import { combineCrc32, type ObjectKey } from '@floe/storage'
import type { ObjectTable, Piece, WriterClaim } from './object-table.ts'
import { type PartPlace, placeOf } from './part-plan.ts'
import type { CursorStart } from './write-cursor.ts'

/** Where a writer continues. The database holds the bytes of its part up to the position. */
export interface WriterStart extends CursorStart {
  claim: WriterClaim
  uploadId: string | null
  /** An earlier writer asked S3 to begin an upload, and may not have heard its id. */
  wasBeginning: boolean
  isFinished: boolean
}

/** Claims the object and discards what is stored past the offset. */
export async function findStart(
  table: ObjectTable,
  key: ObjectKey,
  offsetBytes: number,
): Promise<WriterStart> {
  const claimed = await table.claim(key)
  if (claimed === null) throw new AppError('file_not_found', { detail: 'object is unknown' })
  const { object, ...claim } = claimed
  const { plan, uploadId, wasBeginning, isFinished, synced } = object
  const start = { claim, plan, uploadId, wasBeginning, isFinished, position: offsetBytes }
  const ended = { ...start, beforeCrc32: synced.crc32, partCrc32: 0, isEnded: true }
  if (isFinished) {
    if (synced.offsetBytes !== offsetBytes)
      throw conflict(`object is finished at ${synced.offsetBytes}`)
    return ended
  }
  if (synced.offsetBytes < offsetBytes) {
    throw conflict(`object holds ${synced.offsetBytes} bytes, asked to continue at ${offsetBytes}`)
  }
  const place = placeOf(plan, offsetBytes)
  const before = await table.partsBelow(key, place.number)
  if (before.count !== place.number - 1) throw conflict('a part before the offset is missing')
  const open = { ...start, beforeCrc32: before.crc32, isEnded: false }
  const partBytes = offsetBytes - place.start
  if (synced.offsetBytes > offsetBytes) {
    const kept = await keepUpTo(table, key, place, offsetBytes)
    await table.cutBack(claim, {
      synced: { offsetBytes, crc32: combineCrc32(before.crc32, kept.crc32, partBytes) },
      fromPart: place.number,
      lastPiece: kept.lastPiece,
    })
    return { ...open, partCrc32: kept.crc32 }
  }
  const whole = await table.partsBelow(key, place.number + 1)
  const isSent = whole.count === place.number && whole.crc32 === synced.crc32
  if (isSent && partBytes > 0) return ended
  await table.cutBack(claim, { synced, fromPart: place.number, lastPiece: null })
  return { ...open, partCrc32: splitCrc32(before.crc32, synced.crc32, partBytes) }
}

/** What is kept of a part up to an offset within it. */
async function keepUpTo(table: ObjectTable, key: ObjectKey, { start }: PartPlace, end: number) {
  let at = start
  let sum = 0
  let lastPiece: Piece | null = null
  for (const startBytes of await table.pieceStarts(key, start, end)) {
    if (startBytes !== at) break
    const bytes = (await table.piece(key, startBytes)).subarray(0, end - startBytes)
    lastPiece = { startBytes, bytes }
    sum = crc32(bytes, sum)
    at += bytes.length
  }
  if (at !== end) throw conflict('the bytes before the offset have been sent as a part already')
  return { crc32: sum, lastPiece }
}

/** CRC-32 of B from those of A and of A followed by B. */
function splitCrc32(crcA: number, crcAB: number, lengthB: number): number {
  return (combineCrc32(crcA, 0, lengthB) ^ crcAB) >>> 0
}

function conflict(detail: string): AppError {
  return new AppError('upload_offset_conflict', { detail })
}
