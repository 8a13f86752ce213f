import { crc32 } from 'node:zlib'
import { AppError } from '@floe/errors'
import { combineCrc32, type ObjectKey, type ObjectWriter } from '@floe/storage'
import type { ObjectTable, Piece, Prefix, StoredPart, WriterClaim } from './object-table.ts'
import type { PartMemory } from './part-memory.ts'
import { leastPartBytes, type PartPlace, type PartPlan, placeOf } from './part-plan.ts'
import { convertS3Error, isCausedBy, type Payload, type S3Calls } from './s3-calls.ts'

export interface WriterMeans {
  calls: S3Calls
  table: ObjectTable
  memory: PartMemory
}

const partsInFlight = 3

/** Where a writer goes on, and what of the part it is in lies in the database. */
interface Start {
  claim: WriterClaim
  plan: PartPlan
  uploadId: string | null
  /** Somebody asked S3 to begin an upload, and may not have heard which. */
  wasBeginning: boolean
  position: number
  /** CRC-32 up to the beginning of the part, and from there to the position. */
  beforeCrc32: number
  partCrc32: number
  /** Nothing can follow: the last, short part has been sent, or the object stands. */
  end: 'open' | 'sent' | 'finished'
}

/** As `ObjectStore.openWriter`. */
export async function openS3Writer(
  means: WriterMeans,
  key: ObjectKey,
  offsetBytes: number,
): Promise<ObjectWriter> {
  return createS3Writer(means, await findStart(means.table, key, offsetBytes))
}

async function findStart(table: ObjectTable, key: ObjectKey, offsetBytes: number): Promise<Start> {
  const claimed = await table.claim(key)
  if (claimed === null) throw new AppError('file_not_found', { detail: 'object is unknown' })
  const { object, ...claim } = claimed
  const { plan, uploadId, wasBeginning, synced } = object
  const start = { claim, plan, uploadId, wasBeginning, position: offsetBytes }
  if (object.isFinished) {
    if (synced.bytes !== offsetBytes) throw conflict(`object is finished at ${synced.bytes}`)
    return { ...start, beforeCrc32: synced.crc32, partCrc32: 0, end: 'finished' }
  }
  if (synced.bytes < offsetBytes) {
    throw conflict(`object holds ${synced.bytes} bytes, asked to continue at ${offsetBytes}`)
  }
  const place = placeOf(plan, offsetBytes)
  const before = await table.partsBelow(key, place.number)
  if (before.count !== place.number - 1) throw conflict('a part before the offset is missing')
  const beforeCrc32 = before.crc32
  if (synced.bytes === offsetBytes) {
    const whole = await table.partsBelow(key, place.number + 1)
    const isSent = whole.count === place.number && whole.crc32 === synced.crc32
    if (isSent && offsetBytes > place.start) {
      return { ...start, beforeCrc32: synced.crc32, partCrc32: 0, end: 'sent' }
    }
    const partCrc32 = splitCrc32(beforeCrc32, synced.crc32, offsetBytes - place.start)
    const changes = { synced, fromPart: place.number, lastPiece: null }
    await table.cutBack(claim, changes)
    return { ...start, beforeCrc32, partCrc32, end: 'open' }
  }
  const kept = await keepUpTo(table, key, place, offsetBytes)
  const wholeCrc32 = combineCrc32(beforeCrc32, kept.crc32, offsetBytes - place.start)
  await table.cutBack(claim, {
    synced: { bytes: offsetBytes, crc32: wholeCrc32 },
    fromPart: place.number,
    lastPiece: kept.lastPiece,
  })
  return { ...start, beforeCrc32, partCrc32: kept.crc32, end: 'open' }
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

function createS3Writer({ calls, table, memory }: WriterMeans, start: Start): ObjectWriter {
  const { claim, plan } = start
  const { key } = claim
  /** Parts on their way to S3, and those of them that S3 does not have yet. */
  const flights = new Set<Promise<void>>()
  const sending = new Set<Promise<unknown>>()
  const aborting = new AbortController()
  let { uploadId, position, beforeCrc32, partCrc32, end } = start
  let beginning: Promise<string> | null = null
  let part = placeOf(plan, position)
  let state: 'open' | 'failed' | 'closed' = 'open'
  let flightFailure: unknown
  /** In the database: the bytes of this part up to here. */
  let keptEnd = position
  /** In memory: the bytes from here to the position. */
  let buffer: Buffer | null = null
  let bufferStart = position
  let synced: Prefix = { bytes: position, crc32: wholeCrc32() }
  /** Parts that were noted, by their beginnings: where each ends. */
  const landed = new Map<number, Prefix>()
  let noting = Promise.resolve()
  /** Up to here all parts were noted. */
  let landedEnd: Prefix = { bytes: part.start, crc32: beforeCrc32 }

  function wholeCrc32(): number {
    return combineCrc32(beforeCrc32, partCrc32, end === 'open' ? position - part.start : 0)
  }

  async function attempt<T>(operation: string, run: () => Promise<T>): Promise<T> {
    if (state !== 'open') throw new AppError('internal', { detail: `writer is ${state}` })
    try {
      return await run()
    } catch (error) {
      state = 'failed'
      if (await isUploadGone(error)) await table.restart(claim)
      throw convertS3Error(error, operation)
    }
  }

  /**
   * Somebody has removed the parts from the bucket: what they held must come again. A server that
   * refuses a part may hang up on its bytes, so it is asked.
   */
  async function isUploadGone(error: unknown): Promise<boolean> {
    if (isCausedBy(error, 'NoSuchUpload')) return true
    if (error !== flightFailure || uploadId === null) return false
    const ids = await calls.uploadsOf(key).catch(() => null)
    return ids !== null && !ids.includes(uploadId)
  }

  async function take(chunks: readonly Uint8Array[], hurry?: AbortSignal): Promise<void> {
    if (end !== 'open') throw new AppError('internal', { detail: 'object is finished' })
    for (const chunk of chunks) {
      let at = 0
      while (at < chunk.length) {
        const bytes = chunk.subarray(at, at + part.end - position)
        at += await gather(bytes, hurry)
        if (position === part.end) await sendPart()
      }
    }
  }

  /** Puts as much as there is room for into memory or, without any, into the database. */
  async function gather(bytes: Uint8Array, hurry?: AbortSignal): Promise<number> {
    if (buffer === null) {
      // In the middle of a part its beginning is in the database anyhow.
      const isAtStart = position === part.start
      buffer = isAtStart
        ? await memory.awaitTurn({ isFirstPart: position === 0, hurry })
        : memory.tryTake()
      bufferStart = position
    }
    if (buffer === null) {
      await table.addPiece(claim, { startBytes: position, bytes: viewOf(bytes) })
      advance(bytes)
      keptEnd = position
      bufferStart = position
      return bytes.length
    }
    const room = bufferStart + buffer.length - position
    if (room === 0) {
      await keepGathered()
      bufferStart = position
      return 0
    }
    const fitting = bytes.subarray(0, room)
    buffer.set(fitting, position - bufferStart)
    advance(fitting)
    return fitting.length
  }

  function advance(bytes: Uint8Array): void {
    partCrc32 = crc32(bytes, partCrc32)
    position += bytes.length
  }

  async function keepGathered(): Promise<void> {
    if (buffer === null || keptEnd === position) return
    const bytes = buffer.subarray(keptEnd - bufferStart, position - bufferStart)
    await table.addPiece(claim, { startBytes: keptEnd, bytes })
    keptEnd = position
  }

  /** Sends the bytes of this part up to the position, while the next one is gathered. */
  async function sendPart(): Promise<void> {
    while (sending.size >= partsInFlight) await Promise.race(sending)
    throwFlightFailure()
    const sizeBytes = position - part.start
    const place = { key, number: part.number, crc32: partCrc32 }
    const endCrc32 = wholeCrc32()
    const startBytes = part.start
    const { payload, release } = await takePayload()
    beginning ??= uploadId === null ? beginUpload() : Promise.resolve(uploadId)
    const sent = beginning.then((id) => {
      return calls.sendPart({ ...place, uploadId: id }, payload, aborting.signal)
    })
    // Settles in any case: whether it went well is known to the flight.
    const landing = sent.then(ignore, ignore).finally(() => {
      release()
      sending.delete(landing)
    })
    sending.add(landing)
    const flight = sent
      .then(({ etag }) => {
        const noted = { number: place.number, crc32: place.crc32, etag, sizeBytes, endCrc32 }
        return notePart(startBytes, noted)
      })
      .catch((error: unknown) => {
        flightFailure ??= error
      })
      .finally(() => flights.delete(flight))
    flights.add(flight)
    beforeCrc32 = endCrc32
    partCrc32 = 0
    if (position < part.end) end = 'sent'
    part = placeOf(plan, position)
    keptEnd = position
    bufferStart = position
  }

  /** Whoever continues after a crash begins behind the parts that have landed one after another. */
  function notePart(startBytes: number, noted: StoredPart): Promise<void> {
    // One after another, so that each knows which are there.
    noting = noting.then(async () => {
      const end = { bytes: startBytes + noted.sizeBytes, crc32: noted.endCrc32 }
      const reached = startBytes === landedEnd.bytes ? followParts(end) : null
      await table.addPart(claim, noted, reached)
      landed.set(startBytes, end)
      if (reached) landedEnd = reached
    })
    return noting
  }

  function followParts(end: Prefix): Prefix {
    let last = end
    for (let next = landed.get(last.bytes); next; next = landed.get(last.bytes)) last = next
    return last
  }

  async function beginUpload(): Promise<string> {
    if (start.wasBeginning) await calls.abortAll(key)
    else await table.noteBeginning(claim)
    const id = await calls.beginParts(key, { withChecksums: true })
    await table.setUploadId(claim, id)
    uploadId = id
    return id
  }

  /** The bytes of this part; the memory they were gathered in goes with them. */
  async function takePayload(): Promise<{ payload: Payload; release(): void }> {
    const sizeBytes = position - part.start
    if (buffer !== null && bufferStart === part.start) return payloadIn(buffer, sizeBytes)
    if (sizeBytes > leastPartBytes) {
      await keepGathered()
      giveBuffer()
      const starts = await table.pieceStarts(key, part.start, position)
      const open = async function* () {
        for (const startBytes of starts) yield await table.piece(key, startBytes)
      }
      return { payload: { sizeBytes, open }, release: () => undefined }
    }
    const whole = await memory.take()
    try {
      for (const { startBytes, bytes } of await table.pieces(key, part.start, bufferStart)) {
        whole.set(bytes, startBytes - part.start)
      }
    } catch (error) {
      memory.give(whole)
      throw error
    }
    if (buffer !== null) {
      whole.set(buffer.subarray(0, position - bufferStart), bufferStart - part.start)
      giveBuffer()
    }
    return payloadIn(whole, sizeBytes)
  }

  function payloadIn(whole: Buffer, sizeBytes: number) {
    if (whole === buffer) buffer = null
    return { payload: whole.subarray(0, sizeBytes), release: () => memory.give(whole) }
  }

  function giveBuffer(): void {
    if (buffer !== null) memory.give(buffer)
    buffer = null
    bufferStart = position
  }

  async function land(): Promise<void> {
    await Promise.all(flights)
    throwFlightFailure()
  }

  function throwFlightFailure(): void {
    if (flightFailure !== undefined) throw flightFailure
  }

  async function sync(): Promise<void> {
    await land()
    if (end === 'finished' || position === synced.bytes) return
    await keepGathered()
    await noteSynced()
  }

  /** Parts on their way are not waited for. */
  async function syncWithin(lagBytes: number): Promise<Prefix> {
    throwFlightFailure()
    const safe = landedEnd.bytes > synced.bytes ? landedEnd : synced
    if (position - safe.bytes > lagBytes) {
      await sync()
      return synced
    }
    await table.forgetPieces(claim, placeOf(plan, synced.bytes).start)
    synced = safe
    return safe
  }

  async function noteSynced(): Promise<void> {
    const keepFrom = placeOf(plan, synced.bytes).start
    synced = { bytes: position, crc32: wholeCrc32() }
    await table.sync(claim, synced, keepFrom)
  }

  async function finish(): Promise<void> {
    await land()
    if (end === 'finished') return
    if (uploadId === null) await putWhole()
    else await completeParts(uploadId)
    await table.finish(claim, { bytes: position, crc32: wholeCrc32() })
    synced = { bytes: position, crc32: wholeCrc32() }
    end = 'finished'
  }

  async function putWhole(): Promise<void> {
    const { payload, release } = await takePayload()
    try {
      await calls.put(key, payload, partCrc32)
    } finally {
      release()
    }
  }

  async function completeParts(id: string): Promise<void> {
    if (end === 'open' && position > part.start) {
      await sendPart()
      await land()
    }
    // Completing ends the upload in S3: whoever comes after a crash must know that all was there.
    if (position !== synced.bytes) await noteSynced()
    const parts = await table.parts(key)
    const bytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (bytes !== position || parts.some(({ number }, index) => number !== index + 1)) {
      throw new AppError('internal', { detail: 'the parts are not all there' })
    }
    await calls.completeParts(key, id, parts).catch(async (error: unknown) => {
      const isDone = isCausedBy(error, 'NoSuchUpload') && (await calls.sizeOf(key)) === position
      if (!isDone) throw error
    })
  }

  return {
    get crc32() {
      return wholeCrc32()
    },
    write: (chunks, hurry) => attempt('write', () => take(chunks, hurry)),
    async keep() {
      await attempt('keep', sync)
      // Whoever keeps may pause, and somebody else could gather in the meantime.
      if (memory.isShort()) giveBuffer()
      return true
    },
    sync: () => attempt('sync', sync),
    async syncWithin(lagBytes) {
      const safe = await attempt('sync', () => syncWithin(lagBytes))
      return { offsetBytes: safe.bytes, crc32: safe.crc32 }
    },
    finish: () => attempt('finish', finish),
    async close() {
      if (state === 'closed') return
      state = 'closed'
      aborting.abort()
      await Promise.all(flights)
      giveBuffer()
    },
  }
}

/** CRC-32 of B from those of A and of A followed by B. */
function splitCrc32(crcA: number, crcAB: number, lengthB: number): number {
  return (combineCrc32(crcA, 0, lengthB) ^ crcAB) >>> 0
}

function ignore(): void {}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function conflict(detail: string): AppError {
  return new AppError('upload_offset_conflict', { detail })
}
