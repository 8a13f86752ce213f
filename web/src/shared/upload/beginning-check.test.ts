// @vitest-environment node
import { crc32 } from 'node:zlib'
import { writePrefixChecksum } from '@floe/contracts'
import { expect, it } from 'vitest'
import { createBeginningCheck, FileRefusal, readStored } from './beginning-check.ts'
import { emptyPrefix, type Prefix, readOn } from './prefix.ts'
import type { ReadPrefixOptions } from './read-prefix.ts'

const content = Buffer.alloc(9_000_000, 'what the server has ')
const stored = (bytes: number): Prefix => ({ bytes, crc32: crc32(content.subarray(0, bytes)) })

/** Reads as the worker does, here; at each piece it waits for `gate`. */
function startCheck(bytes: Uint8Array<ArrayBuffer>, gate = () => Promise.resolve()) {
  const compared: number[] = []
  let readBytes = 0
  async function read(file: Blob, { toBytes, known, signal, onRead }: ReadPrefixOptions) {
    let last = known ?? emptyPrefix
    for await (const prefix of readOn(file, last, toBytes)) {
      await gate()
      signal?.throwIfAborted()
      readBytes += prefix.bytes - last.bytes
      last = prefix
      onRead?.(prefix)
    }
    return last
  }
  const entry = { file: new File([bytes], 'a.bin') }
  const check = createBeginningCheck({ entry, read, onCompared: (far) => compared.push(far) })
  return { check, compared, readBytes: () => readBytes }
}

it('passes a file that begins with what the server has, and reads it once', async () => {
  const { check, compared, readBytes } = startCheck(Buffer.concat([content, Buffer.from('more')]))
  await check.run(stored(8_500_000))
  expect(compared.at(-1)).toBe(8_500_000)
  await check.run(stored(8_700_000))
  expect(readBytes()).toBe(8_500_000)
})

it('refuses a file that has changed anywhere before the offset', async () => {
  for (const at of [0, 700_000, 8_499_999]) {
    const changed = Buffer.from(content)
    changed[at] = 0
    const running = startCheck(changed).check.run(stored(8_500_000))
    await expect(running).rejects.toMatchObject({ reason: 'changed' })
  }
})

it('refuses a file that cannot be read up to the offset', async () => {
  const running = startCheck(content.subarray(0, 100)).check.run(stored(8_500_000))
  await expect(running).rejects.toThrow(FileRefusal)
  await expect(running).rejects.toMatchObject({ reason: 'unreadable' })
})

it('lets nothing follow a check that was stopped, and the next goes on where it was', async () => {
  let pieces = 0
  const { check, readBytes } = startCheck(content, async () => {
    pieces += 1
    if (pieces === 2) check.stop()
  })
  let followed = false
  void check.run(stored(8_500_000)).finally(() => (followed = true))
  await expect.poll(() => pieces).toBe(2)
  await check.run(stored(8_500_000))
  expect(followed).toBe(false)
  expect(readBytes()).toBe(8_500_000)
})

it('reads what the server has from a response, and nothing where it does not tell', () => {
  const headers = new Headers({ 'Upload-Offset': '3', 'Upload-Checksum': writePrefixChecksum(7) })
  expect(readStored((name) => headers.get(name))).toEqual({ bytes: 3, crc32: 7 })
  headers.delete('Upload-Checksum')
  expect(readStored((name) => headers.get(name))).toBeNull()
})

it('has nothing to compare where the server does not tell', async () => {
  const { check, readBytes } = startCheck(content)
  await check.run(null)
  expect(readBytes()).toBe(0)
})
