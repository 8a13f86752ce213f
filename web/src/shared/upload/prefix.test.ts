// @vitest-environment node
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { emptyPrefix, type Prefix, readOn } from './prefix.ts'

const content = Buffer.alloc(10_000_000, 'the quick brown fox ')
const file = new Blob([content])

async function read(known: Prefix, toBytes: number): Promise<Prefix[]> {
  const read: Prefix[] = []
  for await (const prefix of readOn(file, known, toBytes)) read.push(prefix)
  return read
}

it('reads exactly so far, and tells on its way how far it is', async () => {
  const prefixes = await read(emptyPrefix, 9_000_001)
  expect(prefixes.length).toBeGreaterThan(1)
  for (const prefix of prefixes) {
    expect(prefix.crc32).toBe(crc32(content.subarray(0, prefix.bytes)))
  }
  expect(prefixes.at(-1)?.bytes).toBe(9_000_001)
})

it('goes on from what was read before', async () => {
  const [known = emptyPrefix] = await read(emptyPrefix, 1_000_000)
  expect(await read(known, 1_000_500)).toEqual([
    { bytes: 1_000_500, crc32: crc32(content.subarray(0, 1_000_500)) },
  ])
  expect(await read(known, 1_000_000)).toEqual([])
})

it('fails where the file is shorter', async () => {
  await expect(read(emptyPrefix, 10_000_001)).rejects.toThrow('ends at 10000000')
})
