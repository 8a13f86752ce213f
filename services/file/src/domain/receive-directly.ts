import type { DirectBody } from '@floe/wire'
import type { BodyEnd, BodyMemory, ReceiveOptions } from './receive-body.ts'

/** What is being filled: lent by whoever needs the bytes there, or one of ours. */
interface Area {
  bytes: Buffer
  isLent: boolean
  placedBytes: number
  handedBytes: number
}

/** One gathers while the other is written. */
const MOST_BUFFERS = 2
/** Handed on while the processor still has them at hand: their checksum is half as dear then. */
const WARM_BYTES = 512 * 1024

/**
 * As `receiveBody`, from a body that its connection reads straight into memory: lent room if there
 * is some, and otherwise two buffers of the stream's share in turn. Who has sent little as yet may
 * never send more, and is lent nothing.
 */
export function receiveDirectly(
  body: DirectBody,
  options: ReceiveOptions & { memory: BodyMemory },
): Promise<BodyEnd> {
  const { onArrival, onBatch, signal, maxBytes, memory } = options
  if (body.sizeBytes > maxBytes) return Promise.resolve('overflow')
  if (signal.aborted) return Promise.resolve('cut')
  return new Promise((resolve, reject) => {
    /** `done`: the buffer that is free when these bytes are written. */
    const due: { bytes: Buffer; done: Buffer | null }[] = []
    let area: Area | null = null
    const buffers = new Set<Buffer>()
    let hasFilled = false
    let wasLent = false
    let writing = false
    let end: BodyEnd | null = null
    let settled = false

    function room(): Buffer | null {
      if (end !== null || settled) return null
      area ??= nextArea()
      return area && area.bytes.subarray(area.placedBytes, area.placedBytes + WARM_BYTES)
    }
    function nextArea(): Area | null {
      const isIdle = !writing && due.length === 0
      const lent = isIdle && hasFilled ? (memory.lendRoom?.() ?? null) : null
      // Where room was lent, there will be more of it: waiting costs less than copying.
      if (!isIdle && wasLent) return null
      wasLent = lent !== null
      if (lent === null && buffers.size === MOST_BUFFERS) return null
      return { bytes: lent ?? takeBuffer(), isLent: wasLent, placedBytes: 0, handedBytes: 0 }
    }
    function takeBuffer(): Buffer {
      const buffer = memory.takeBuffer()
      buffers.add(buffer)
      return buffer
    }
    function placed(byteCount: number): void {
      onArrival?.()
      if (area === null) return
      area.placedBytes += byteCount
      const isFull = area.placedBytes === area.bytes.length
      hasFilled ||= isFull
      if (isFull || (area.isLent && area.placedBytes - area.handedBytes >= WARM_BYTES)) handOn()
    }
    function handOn(): void {
      if (area === null) return
      const { bytes, placedBytes, handedBytes } = area
      const isLast = placedBytes === bytes.length || end !== null
      if (placedBytes > handedBytes) {
        const done = isLast ? bytes : null
        due.push({ bytes: bytes.subarray(handedBytes, placedBytes), done })
      }
      area.handedBytes = placedBytes
      if (isLast) area = null
      advance()
    }
    function advance(): void {
      if (writing || settled) return
      const next = due.shift()
      if (next === undefined) {
        if (end !== null) settle(() => resolve(end ?? 'cut'))
        else body.resume()
        return
      }
      writing = true
      onBatch([next.bytes], next.bytes.length).then(
        () => {
          writing = false
          if (next.done) giveBack(next.done)
          advance()
        },
        (error: unknown) => settle(() => reject(error)),
      )
    }
    function giveBack(buffer: Buffer): void {
      if (buffers.delete(buffer)) memory.returnBuffer(buffer)
    }
    function finish(outcome: BodyEnd): void {
      end ??= outcome
      handOn()
      advance()
    }
    function stop(): void {
      body.stop()
      finish('cut')
    }
    function settle(done: () => void): void {
      if (settled) return
      settled = true
      body.stop()
      signal.removeEventListener('abort', stop)
      for (const buffer of buffers) giveBack(buffer)
      done()
    }

    signal.addEventListener('abort', stop)
    body.start({ room, placed, ended: finish })
  })
}
