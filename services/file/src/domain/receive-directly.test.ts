import type { BodyReceiver, DirectBody } from '@floe/wire'
import { describe, expect, test } from 'vitest'
import { gate, turns } from '../testing/gate.ts'
import type { BodyEnd, BodyMemory, ReceiveOptions } from './receive-body.ts'
import { receiveDirectly } from './receive-directly.ts'

const BUFFER_BYTES = 1_000

/** A body whose bytes come when a test says so: as a connection gives them, room by room. */
function createBody(sizeBytes: number) {
  let receiver: BodyReceiver | null = null
  let arrived: Buffer = Buffer.alloc(0)
  let remainingBytes = sizeBytes

  function flow(): void {
    while (arrived.length > 0) {
      const room = receiver?.room()
      if (!room) return
      const count = Math.min(room.length, arrived.length)
      room.set(arrived.subarray(0, count))
      arrived = arrived.subarray(count)
      remainingBytes -= count
      receiver?.placed(count)
    }
    if (remainingBytes === 0) end('complete')
  }
  function end(how: 'complete' | 'cut'): void {
    const hearer = receiver
    receiver = null
    hearer?.ended(how)
  }
  const body: DirectBody = {
    sizeBytes,
    start: (given) => {
      receiver = given
      flow()
    },
    resume: flow,
    stop: () => {
      receiver = null
    },
  }
  return {
    body,
    arrive(bytes: Buffer) {
      arrived = Buffer.concat([arrived, bytes])
      flow()
    },
    cut: () => end('cut'),
    /** What no room was given for. */
    get waitingBytes() {
      return arrived.length
    },
    get isRead() {
      return receiver !== null
    },
  }
}

interface Received {
  end: Promise<BodyEnd>
  batches: Buffer[]
  /** Taken, and not returned. */
  buffers: Set<Buffer>
}

function receive(
  body: DirectBody,
  options: Partial<ReceiveOptions> & Pick<BodyMemory, 'lendRoom'> = {},
): Received {
  const batches: Buffer[] = []
  const buffers = new Set<Buffer>()
  const { lendRoom, onBatch, ...others } = options
  const end = receiveDirectly(body, {
    batch: { batchBytes: BUFFER_BYTES },
    maxBytes: Infinity,
    signal: new AbortController().signal,
    memory: {
      ...(lendRoom && { lendRoom }),
      takeBuffer: () => {
        const buffer = Buffer.alloc(BUFFER_BYTES)
        buffers.add(buffer)
        return buffer
      },
      returnBuffer: (buffer) => {
        expect(buffers.delete(buffer)).toBe(true)
      },
    },
    onBatch: async (chunks, bytes) => {
      const batch = Buffer.concat(chunks)
      expect(batch.length).toBe(bytes)
      batches.push(batch)
      await onBatch?.(chunks, bytes)
    },
    ...others,
  })
  return { end, batches, buffers }
}

function makeBytes(count: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: count }, (_, index) => (index * 7) % 251))
}

const join = ({ batches }: Received) => Buffer.concat(batches)

describe('a whole body', () => {
  test('arrives in order, a buffer at a time, and leaves no buffer taken', async () => {
    const bytes = makeBytes(4_500)
    const source = createBody(bytes.length)
    const received = receive(source.body)
    for (let at = 0; at < bytes.length; at += 300) source.arrive(bytes.subarray(at, at + 300))
    expect(await received.end).toBe('complete')
    expect(join(received).equals(bytes)).toBe(true)
    expect(received.batches.map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 1_000, 500])
    expect(received.buffers.size).toBe(0)
  })

  test('waits while two buffers are not written', async () => {
    const writing = gate()
    const bytes = makeBytes(5_000)
    const source = createBody(bytes.length)
    const received = receive(source.body, { onBatch: () => writing.opened })
    source.arrive(bytes)
    await turns()
    expect(source.waitingBytes).toBe(3_000)
    expect(received.buffers.size).toBe(2)
    writing.open()
    expect(await received.end).toBe('complete')
    expect(join(received).equals(bytes)).toBe(true)
  })
})

describe('lent room', () => {
  /** Parts of a store: their memory, and how much of it was handed over. */
  function createLender(partBytes: number) {
    const parts: Buffer[] = []
    let part = Buffer.alloc(partBytes)
    let takenBytes = 0
    let copiedBytes = 0
    return {
      parts,
      get copiedBytes() {
        return copiedBytes
      },
      lendRoom: () => part.subarray(takenBytes),
      take(chunks: readonly Buffer[]) {
        for (const chunk of chunks) {
          for (let at = 0; at < chunk.length;) {
            const count = Math.min(chunk.length - at, partBytes - takenBytes)
            const isThere = chunk.buffer === part.buffer
            if (isThere) expect(chunk.byteOffset).toBe(part.byteOffset + takenBytes)
            else {
              chunk.copy(part, takenBytes, at, at + count)
              copiedBytes += count
            }
            at += count
            takenBytes += count
            if (takenBytes < partBytes) continue
            parts.push(part)
            part = Buffer.alloc(partBytes)
            takenBytes = 0
          }
        }
      },
    }
  }

  test('is filled by all but the first bytes, without a copy', async () => {
    const bytes = makeBytes(9_000_000)
    const lender = createLender(3_000_000)
    const source = createBody(bytes.length)
    const received = receive(source.body, {
      lendRoom: lender.lendRoom,
      onBatch: async (chunks) => {
        await Promise.resolve()
        lender.take(chunks)
      },
    })
    for (let at = 0; at < bytes.length; at += 70_000) {
      source.arrive(bytes.subarray(at, at + 70_000))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await received.end).toBe('complete')
    expect(Buffer.concat(lender.parts).equals(bytes)).toBe(true)
    expect(lender.copiedBytes).toBeLessThanOrEqual(2 * BUFFER_BYTES)
    expect(received.buffers.size).toBe(0)
  })

  test('is not asked for before a buffer was filled', () => {
    let isAsked = false
    const source = createBody(10_000)
    receive(source.body, {
      lendRoom: () => {
        isAsked = true
        return null
      },
    })
    source.arrive(makeBytes(BUFFER_BYTES - 1))
    expect(isAsked).toBe(false)
  })

  test('is done without where there is none', async () => {
    const bytes = makeBytes(5_500)
    const source = createBody(bytes.length)
    const received = receive(source.body, { lendRoom: () => null })
    source.arrive(bytes)
    expect(await received.end).toBe('complete')
    expect(join(received).equals(bytes)).toBe(true)
  })
})

describe('a body that ends early', () => {
  test('is cut, and what came is handed on', async () => {
    const source = createBody(5_000)
    const received = receive(source.body)
    source.arrive(makeBytes(1_700))
    source.cut()
    expect(await received.end).toBe('cut')
    expect(join(received).equals(makeBytes(1_700))).toBe(true)
    expect(received.buffers.size).toBe(0)
  })

  test('is cut by an eviction, which waits for what is being written', async () => {
    const writing = gate()
    const eviction = new AbortController()
    let settled = false
    const source = createBody(5_000)
    const received = receive(source.body, {
      signal: eviction.signal,
      onBatch: () => writing.opened,
    })
    void received.end.then(() => {
      settled = true
    })
    source.arrive(makeBytes(1_700))
    eviction.abort()
    expect(source.isRead).toBe(false)
    await turns()
    expect(settled).toBe(false)
    writing.open()
    expect(await received.end).toBe('cut')
    expect(join(received).equals(makeBytes(1_700))).toBe(true)
  })

  test('is not begun after an eviction', async () => {
    const source = createBody(5_000)
    const received = receive(source.body, { signal: AbortSignal.abort() })
    source.arrive(makeBytes(100))
    expect(await received.end).toBe('cut')
    expect(received.batches).toEqual([])
  })
})

test('a body longer than may come is not begun', async () => {
  const source = createBody(1_001)
  const received = receive(source.body, { maxBytes: 1_000 })
  source.arrive(makeBytes(1_001))
  expect(await received.end).toBe('overflow')
  expect(received.batches).toEqual([])
})

test('a batch that fails ends it: nothing is read any more, and no buffer stays taken', async () => {
  const source = createBody(5_000)
  const received = receive(source.body, { onBatch: () => Promise.reject(new Error('disk')) })
  source.arrive(makeBytes(3_000))
  await expect(received.end).rejects.toThrow('disk')
  expect(source.isRead).toBe(false)
  expect(received.buffers.size).toBe(0)
})
