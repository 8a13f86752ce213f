import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { planArchive, type ArchiveEntry, type ArchivePlan } from './archive-plan.ts'
import { createArchiveSource, type OpenObject } from './archive-source.ts'
import type { ByteReader } from './byte-reader.ts'

interface Content {
  path: string
  bytes: Buffer
  isDeflated?: boolean
}

/** Objects in memory; reads come in short pieces, as a network would give them. */
function openAll(contents: readonly Content[]) {
  const objects = new Map<string, Buffer>()
  const entries: ArchiveEntry<string>[] = contents.map(({ path, bytes, isDeflated }, index) => {
    const objectKey = randomUUID()
    objects.set(objectKey, bytes)
    const segmentBytes = deflateRawSync(bytes)
    const segment = {
      objectKey: randomUUID(),
      sizeBytes: segmentBytes.length,
      readyAt: new Date(0),
    }
    if (isDeflated === true) objects.set(segment.objectKey, segmentBytes)
    return {
      ...(isDeflated === true && { segment }),
      objectKey,
      path,
      sizeBytes: bytes.length,
      crc32: crc32(bytes),
      modifiedAt: new Date(Date.UTC(2026, 0, 1) + index * 61_000),
    }
  })
  const open = { now: 0, most: 0 }
  const openObject: OpenObject<string> = async (key) => {
    const bytes = objects.get(key) ?? Buffer.alloc(0)
    open.now += 1
    open.most = Math.max(open.most, open.now)
    const reader: ByteReader = {
      async read(buffer, position) {
        const count = Math.min(buffer.length, 1 + randomInt(5_000))
        return bytes.copy(buffer, 0, position, position + count)
      },
      async close() {
        open.now -= 1
      },
    }
    return reader
  }
  return { entries, openObject, open }
}

async function readSpan(
  plan: ArchivePlan<string>,
  openObject: OpenObject<string>,
  start: number,
  end: number,
) {
  const source = createArchiveSource(plan, { openObject, span: { start, end } })
  const bytes = Buffer.alloc(end - start)
  let position = start
  while (position < end) {
    const buffer = bytes.subarray(position - start, position - start + 1 + randomInt(100_000))
    const count = await source.read(buffer, position)
    expect(count).toBeGreaterThan(0)
    position += count
  }
  await source.close()
  return bytes
}

function randomContents(count: number, mostBytes: number): Content[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `folder ${index % 3}/文件 ${randomInt(count)}.bin`,
    bytes: randomBytes(randomInt(0, mostBytes) * randomInt(0, 2)),
    isDeflated: randomInt(2) === 0,
  }))
}

describe('createArchiveSource', () => {
  test('gives the same bytes for any split of any archive', async () => {
    for (let round = 0; round < 40; round += 1) {
      const { entries, openObject, open } = openAll(randomContents(randomInt(0, 40), 20_000))
      const plan = planArchive(entries)
      const whole = await readSpan(plan, openObject, 0, plan.sizeBytes)
      for (let cut = 0; cut < 10; cut += 1) {
        const start = randomInt(0, plan.sizeBytes)
        const end = randomInt(start, plan.sizeBytes) + 1
        const part = await readSpan(plan, openObject, start, end)
        expect(part.equals(whole.subarray(start, end))).toBe(true)
      }
      expect(open.now).toBe(0)
    }
  })

  test('gives the same bytes cut at every single position', async () => {
    const { entries, openObject } = openAll([
      { path: 'é.txt', bytes: Buffer.from('one') },
      { path: 'empty', bytes: Buffer.alloc(0) },
      { path: 'd/two.txt', bytes: Buffer.from('second') },
      { path: 'd/three.txt', bytes: Buffer.alloc(100, 'three '), isDeflated: true },
    ])
    const plan = planArchive(entries)
    const whole = await readSpan(plan, openObject, 0, plan.sizeBytes)
    for (let cut = 0; cut <= plan.sizeBytes; cut += 1) {
      const head = await readSpan(plan, openObject, 0, cut)
      const tail = await readSpan(plan, openObject, cut, plan.sizeBytes)
      expect(Buffer.concat([head, tail]).equals(whole)).toBe(true)
    }
  })

  test('yields nothing past the end', async () => {
    const { entries, openObject } = openAll([{ path: 'a', bytes: Buffer.from('a') }])
    const plan = planArchive(entries)
    const source = createArchiveSource(plan, { openObject })
    expect(await source.read(Buffer.alloc(10), plan.sizeBytes)).toBe(0)
    expect(await source.read(Buffer.alloc(10), plan.sizeBytes + 5)).toBe(0)
    expect(await source.read(Buffer.alloc(10), plan.sizeBytes - 3)).toBe(3)
  })

  test('gathers small files in one read but opens only a few at once', async () => {
    const contents = Array.from({ length: 500 }, (_, index) => ({
      path: `${index}.txt`,
      bytes: Buffer.alloc(100, index),
    }))
    const { entries, openObject, open } = openAll(contents)
    const plan = planArchive(entries)
    const source = createArchiveSource(plan, { openObject })
    const counts: number[] = []
    let position = 0
    while (position < plan.layout.directoryStart) {
      const count = await source.read(Buffer.alloc(1024 * 1024), position)
      counts.push(count)
      position += count
    }
    expect(counts[0]).toBeLessThan(2_000)
    expect(counts.length).toBeLessThan(15)
    expect(open.most).toBeLessThanOrEqual(16)
    expect(open.now).toBe(0)
  })

  test('keeps one object open while it is read in pieces, and closes it when asked', async () => {
    const { entries, openObject, open } = openAll([{ path: 'big', bytes: randomBytes(100_000) }])
    const plan = planArchive(entries)
    const source = createArchiveSource(plan, { openObject })
    const buffer = Buffer.alloc(10_000)
    for (let position = 0; position < 50_000; position += 10_000)
      await source.read(buffer, position)
    expect(open).toEqual({ now: 1, most: 1 })
    await source.close()
    expect(open.now).toBe(0)
  })

  test('opens an object for no more than the span that is asked for', async () => {
    const { entries, openObject } = openAll([{ path: 'big', bytes: randomBytes(100_000) }])
    const plan = planArchive(entries)
    const spans: unknown[] = []
    const spying: OpenObject<string> = (key, span) => {
      spans.push(span)
      return openObject(key, span)
    }
    const headerBytes = 30 + 3 + 9
    await readSpan(plan, spying, headerBytes + 1_000, headerBytes + 3_000)
    expect(spans).toEqual([{ start: 1_000, end: 3_000 }])
  })

  test('fails rather than fill up when an object is shorter than its row', async () => {
    const { entries, openObject, open } = openAll([
      { path: 'a', bytes: randomBytes(100) },
      { path: 'b', bytes: randomBytes(100) },
    ])
    const wrong = entries.map((entry) => ({ ...entry, sizeBytes: entry.sizeBytes + 1 }))
    const source = createArchiveSource(planArchive(wrong), { openObject })
    await expect(source.read(Buffer.alloc(1_000), 0)).rejects.toMatchObject({ code: 'internal' })
    expect(open.now).toBe(0)
  })
})

describe('planArchive', () => {
  const { entries } = openAll([
    { path: 'a', bytes: Buffer.from('a') },
    { path: 'b', bytes: Buffer.from('b') },
  ])

  test('is as new as its newest file or segment', () => {
    expect(planArchive(entries).lastModifiedAt).toEqual(entries[1]?.modifiedAt)
    const segment = { objectKey: 'segment', sizeBytes: 0, readyAt: new Date('2026-06-01') }
    const deflated = entries.map((entry) => ({ ...entry, segment }))
    expect(planArchive(deflated).lastModifiedAt).toEqual(segment.readyAt)
    expect(planArchive([]).lastModifiedAt).toEqual(new Date(0))
  })

  test('takes times no ZIP can express', async () => {
    const times = [new Date(NaN), new Date(-1), new Date(8.64e15)]
    const odd = times.map((modifiedAt, index) => ({
      ...(entries[0] ?? expect.fail('no entry')),
      path: `${index}`,
      modifiedAt,
    }))
    expect([...planArchive(odd).layout.unixTimes]).toEqual([0, 0, 0xffffffff])
  })
})
