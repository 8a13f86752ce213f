import { describe, expect, test } from 'vitest'
import { createPartMemory, type PartMemory } from './part-memory.ts'
import { leastPartBytes } from './part-plan.ts'

const sixParts = { memory: { mostAsideBytes: 6 * leastPartBytes, setAside: () => undefined } }
/** Longer than any test. */
const never = 3_600_000
const later = { isFirstPart: false, signal: undefined }

/** What those hold who gather, when nobody else can. */
async function fill(memory: PartMemory): Promise<Buffer[]> {
  const held: Buffer[] = []
  while (!memory.isShort()) {
    const buffer = await memory.waitForBuffer(later)
    if (buffer !== null) held.push(buffer)
  }
  return held
}

describe('createPartMemory', () => {
  test('keeps a third back from those who gather', async () => {
    const memory = createPartMemory(sixParts)
    expect(await fill(memory)).toHaveLength(4)
    expect(memory.isShort()).toBe(true)
    expect(await memory.take()).toHaveLength(leastPartBytes)
  })

  test('hands what comes back to the one that waits longest', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: never, patienceMs: never })
    const held = await fill(memory)
    const order: string[] = []
    const waiting = ['first', 'second'].map(async (name) => {
      const buffer = await memory.waitForBuffer(later)
      order.push(name)
      return buffer
    })
    for (const buffer of held.slice(0, 2)) memory.give(buffer)
    const handed = await Promise.all(waiting)
    expect(handed.map((buffer) => buffer && held.indexOf(buffer))).toEqual([0, 1])
    expect(order).toEqual(['first', 'second'])
  })

  test('hands what comes back to a first part before those that come later', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: never, patienceMs: never })
    const held = await fill(memory)
    const large = memory.waitForBuffer(later)
    const small = memory.waitForBuffer({ ...later, isFirstPart: true })
    for (const buffer of held.slice(0, 2)) memory.give(buffer)
    const handed = await Promise.all([small, large])
    expect(handed.map((buffer) => buffer && held.indexOf(buffer))).toEqual([0, 1])
  })

  test('hands what comes back to those who send before those who gather', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: never, patienceMs: never })
    const held = await fill(memory)
    const last = [await memory.take(), await memory.take()]
    const gathers = memory.waitForBuffer(later)
    const sends = memory.take()
    const all = [...last, ...held]
    for (const buffer of all.slice(0, 4)) memory.give(buffer)
    expect(all.indexOf(await sends)).toBe(0)
    expect(all.indexOf((await gathers) as Buffer)).toBe(3)
  })

  test('lets nobody wait where no buffer changes hands', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: 0, patienceMs: never })
    await fill(memory)
    expect(await memory.waitForBuffer(later)).toBeNull()
  })

  test('lets nobody wait for longer than told, and gives that one no buffer later', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: never, patienceMs: 20 })
    const [first] = (await fill(memory)) as [Buffer]
    expect(await memory.waitForBuffer(later)).toBeNull()
    memory.give(first)
    expect((await memory.waitForBuffer(later)) === first).toBe(true)
  })

  test('lets nobody wait once the signal aborts', async () => {
    const memory = createPartMemory({ ...sixParts, stuckAfterMs: never, patienceMs: never })
    await fill(memory)
    const ending = new AbortController()
    const requests = [
      memory.waitForBuffer({ ...later, signal: ending.signal }),
      memory.waitForBuffer({ ...later, signal: ending.signal }),
    ]
    ending.abort()
    expect(
      await Promise.all([...requests, memory.waitForBuffer({ ...later, signal: ending.signal })]),
    ).toEqual([null, null, null])
  })
})
