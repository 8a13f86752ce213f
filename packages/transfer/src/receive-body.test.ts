import { Readable } from 'node:stream'
import { latch, runPendingTasks } from '@floe/testing'
import { describe, expect, test } from 'vitest'
import { type BodyEnd, receiveBody, type ReceiveBodyOptions } from './receive-body.ts'

function body(chunks: readonly Buffer[] = []): Readable {
  const stream = new Readable({ read: () => undefined, highWaterMark: 1024 })
  for (const chunk of chunks) stream.push(chunk)
  return stream
}

function end(req: Readable): Readable {
  req.push(null)
  return req
}

interface Received {
  end: Promise<BodyEnd>
  batches: Buffer[]
}

function receive(req: Readable, options: Partial<ReceiveBodyOptions> = {}): Received {
  const batches: Buffer[] = []
  const received = receiveBody(req, {
    batch: { batchBytes: 10 },
    maxBytes: Infinity,
    signal: new AbortController().signal,
    onBatch: async (chunks, bytes) => {
      const batch = Buffer.concat(chunks)
      expect(batch.length).toBe(bytes)
      batches.push(batch)
    },
    ...options,
  })
  return { end: received, batches }
}

const text = (value: string) => Buffer.from(value)
const join = ({ batches }: Received) => Buffer.concat(batches).toString()

describe('a whole body', () => {
  test('arrives in order, in batches of at least the asked size', async () => {
    const received = receive(end(body(['hello ', 'wide ', 'world'].map(text))))
    expect(await received.end).toBe('complete')
    expect(join(received)).toBe('hello wide world')
    expect(received.batches).toHaveLength(2)
  })

  test('may be empty', async () => {
    const received = receive(end(body()))
    expect(await received.end).toBe('complete')
    expect(received.batches).toEqual([])
  })

  test('that was read to its end before is complete', async () => {
    const req = end(body())
    req.resume()
    await runPendingTasks()
    expect(await receive(req).end).toBe('complete')
  })
})

describe('back pressure', () => {
  test('holds no more than a batch while one is being written', async () => {
    const writing = latch()
    const req = body()
    const received = receive(req, { onBatch: () => writing.opened })
    for (let index = 0; index < 50; index += 1) {
      req.push(Buffer.alloc(10))
      await runPendingTasks()
      if (req.isPaused()) break
    }
    expect(req.isPaused()).toBe(true)
    req.destroy()
    writing.open()
    expect(await received.end).toBe('cut')
  })

  test('goes on when the batch grew while the body was paused', async () => {
    const writing = latch()
    const batch = { batchBytes: 10 }
    const req = body([Buffer.alloc(10)])
    const received = receive(req, { batch, onBatch: () => writing.opened })
    await runPendingTasks()
    req.push(Buffer.alloc(10))
    await runPendingTasks()
    expect(req.isPaused()).toBe(true)
    batch.batchBytes = 1_000
    writing.open()
    await runPendingTasks()
    end(req)
    expect(await received.end).toBe('complete')
  })
})

describe('a body that ends early', () => {
  test('is cut, and what came is handed on', async () => {
    const req = body([text('abc')])
    const received = receive(req)
    await runPendingTasks()
    req.destroy()
    expect(await received.end).toBe('cut')
    expect(join(received)).toBe('abc')
  })

  test('is cut when its connection was gone before', async () => {
    const req = body()
    req.destroy()
    await runPendingTasks()
    expect(await receive(req).end).toBe('cut')
  })

  test('is cut, not complete, when the rest was lost while it was paused', async () => {
    const writing = latch()
    const req = body([Buffer.alloc(10)])
    const received = receive(req, { onBatch: () => writing.opened })
    await runPendingTasks()
    req.push(Buffer.alloc(10))
    await runPendingTasks()
    expect(req.isPaused()).toBe(true)
    // The parser saw the whole message, but nobody will ever read its rest.
    req.push(Buffer.alloc(10))
    end(req)
    req.destroy()
    await runPendingTasks()
    writing.open()
    expect(await received.end).toBe('cut')
  })

  test('does not throw what the connection reports', async () => {
    const req = body()
    const received = receive(req)
    req.destroy(new Error('reset'))
    expect(await received.end).toBe('cut')
  })
})

describe('eviction', () => {
  test('stops a silent body at once and hands on what was gathered', async () => {
    const eviction = new AbortController()
    const received = receive(body([text('abc')]), { signal: eviction.signal })
    await runPendingTasks()
    eviction.abort()
    expect(await received.end).toBe('cut')
    expect(join(received)).toBe('abc')
  })

  test('before the start takes nothing', async () => {
    const received = receive(body([text('abc')]), { signal: AbortSignal.abort() })
    expect(await received.end).toBe('cut')
    expect(received.batches).toEqual([])
  })

  test('waits for the batch that is being written', async () => {
    const writing = latch()
    const eviction = new AbortController()
    let settled = false
    const { end: outcome } = receive(body([Buffer.alloc(10)]), {
      signal: eviction.signal,
      onBatch: () => writing.opened,
    })
    void outcome.then(() => {
      settled = true
    })
    await runPendingTasks()
    eviction.abort()
    await runPendingTasks()
    expect(settled).toBe(false)
    writing.open()
    expect(await outcome).toBe('cut')
  })
})

describe('the most bytes', () => {
  test('may be reached exactly', async () => {
    expect(await receive(end(body([text('abc')])), { maxBytes: 3 }).end).toBe('complete')
  })

  test('end a longer body, whose excess is never handed on', async () => {
    const received = receive(end(body([text('abc'), text('d')])), { maxBytes: 3 })
    expect(await received.end).toBe('overflow')
    expect(join(received)).toBe('')
  })
})

test('fails with the error of the batch, however the body goes on', async () => {
  const req = body([Buffer.alloc(10)])
  const { end: outcome } = receive(req, { onBatch: () => Promise.reject(new Error('disk')) })
  await expect(outcome).rejects.toThrow('disk')
  req.push(Buffer.alloc(100))
  end(req).resume()
  await runPendingTasks()
  expect(req.readableEnded).toBe(true)
})

describe('a prompt receiver', () => {
  test('hands on together what came in one turn, though it fills no batch', async () => {
    const req = body()
    const received = receive(req, { isPrompt: true, batch: { batchBytes: 1_000 } })
    await runPendingTasks()
    for (const piece of ['a', 'b']) req.push(text(piece))
    await runPendingTasks()
    req.push(text('c'))
    await runPendingTasks()
    expect(received.batches.map(String)).toEqual(['ab', 'c'])
    end(req)
    expect(await received.end).toBe('complete')
  })

  test('hands on what came while a batch was taken as soon as it was', async () => {
    const taking = latch()
    const sizes: number[] = []
    const req = body([text('first')])
    const { end: outcome } = receive(req, {
      isPrompt: true,
      batch: { batchBytes: 1_000 },
      onBatch: async (_chunks, bytes) => {
        sizes.push(bytes)
        await taking.opened
      },
    })
    await runPendingTasks()
    for (const piece of ['a', 'bc']) req.push(text(piece))
    await runPendingTasks()
    expect(sizes).toEqual([5])
    taking.open()
    await runPendingTasks()
    expect(sizes).toEqual([5, 3])
    end(req)
    expect(await outcome).toBe('complete')
  })
})

test('frees the chunks of a batch once it was taken, and not before', async () => {
  const taking = latch()
  const freed: number[] = []
  const { end: outcome } = receive(end(body([Buffer.alloc(10)])), {
    batch: { batchBytes: 10, release: (chunks) => freed.push(chunks.length) },
    onBatch: () => taking.opened,
  })
  await runPendingTasks()
  expect(freed).toEqual([])
  taking.open()
  expect(await outcome).toBe('complete')
  expect(freed).toEqual([1])
})
