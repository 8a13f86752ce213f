import { describe, expect, test } from 'vitest'
import { FloeError } from './floe-error.ts'
import { importFloeKey, resumeEncryption, startDecryption, startEncryption } from './floe.ts'
import { KNOWN_ANSWERS } from './known-answers.fixture.ts'
import { FloeLayout, HEADER_BYTES } from './layout.ts'
import { decryptStream } from './streams.ts'

const associated = new TextEncoder().encode('This is AAD')

function fromHex(text: string) {
  return new Uint8Array(Buffer.from(text, 'hex'))
}

async function decryptWhole(stream: ReadableStream<Uint8Array>) {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

describe.each(KNOWN_ANSWERS)('$name', ({ text, cipher, ...options }) => {
  const sealed = fromHex(cipher)
  const plain = fromHex(text)

  test('is decrypted in sequence', async () => {
    const key = await importFloeKey(new Uint8Array(32))
    const stream = new Blob([sealed]).stream()
    const start = (header: Uint8Array<ArrayBuffer>) =>
      startDecryption(key, associated, header, options)
    expect(await decryptWhole(stream.pipeThrough(decryptStream(start)))).toEqual(plain)
  })

  test('is decrypted segment by segment from the last', async () => {
    const key = await importFloeKey(new Uint8Array(32))
    const header = sealed.slice(0, HEADER_BYTES)
    const decryption = await startDecryption(key, associated, header, options)
    const layout = FloeLayout.ofCiphertext(sealed.length, options.segmentBytes)
    expect(layout.plainBytes).toBe(plain.length)
    for (let position = layout.segmentCount - 1; position >= 0; position--) {
      const cut = layout.cipherRange(position)
      const segment = sealed.slice(cut.start, cut.end)
      const found = await decryption.decryptSegment(segment, position, layout.isLast(position))
      const { start, end } = layout.plainRange(position)
      expect(found).toEqual(plain.slice(start, end))
    }
  })
})

test('a key of another length is not taken', () => {
  expect(() => importFloeKey(new Uint8Array(33))).toThrow(RangeError)
})

test('the key cannot be read again', async () => {
  const key = await importFloeKey(new Uint8Array(32))
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
})

test('a text that leaves its segment unfilled is taken as the last one alone', async () => {
  const encryption = await startEncryption(await importFloeKey(new Uint8Array(32)), associated)
  await expect(encryption.encryptSegment(new Uint8Array(3), 0, false)).rejects.toThrow(RangeError)
  expect(await encryption.encryptSegment(new Uint8Array(3), 0, true)).toHaveLength(35)
})

test('a segment is made where it is to lie, if that has its length', async () => {
  const key = await importFloeKey(new Uint8Array(32))
  const encryption = await startEncryption(key, associated)
  const memory = new Uint8Array(100)
  const text = fromHex('00112233')
  const sealed = await encryption.encryptSegment(text, 0, true, memory.subarray(10, 46))
  expect(sealed.buffer).toBe(memory.buffer)
  const decryption = await startDecryption(key, associated, encryption.header)
  expect(await decryption.decryptSegment(sealed, 0, true)).toEqual(text)
  expect([...memory.subarray(0, 10), ...memory.subarray(46)]).toEqual(Array(64).fill(0))
  await expect(encryption.encryptSegment(text, 0, true, memory)).rejects.toThrow(RangeError)
})

test('a segment that is encrypted again has other bytes, and each of them is good', async () => {
  const key = await importFloeKey(new Uint8Array(32))
  const encryption = await startEncryption(key, associated)
  const text = fromHex('00112233')
  const sealed = [
    await encryption.encryptSegment(text, 0, true),
    await encryption.encryptSegment(text, 0, true),
  ]
  expect(sealed[0]).not.toEqual(sealed[1])
  const decryption = await startDecryption(key, associated, encryption.header)
  for (const one of sealed) expect(await decryption.decryptSegment(one, 0, true)).toEqual(text)
})

test('goes on with a ciphertext by its header, under its key alone', async () => {
  const key = await importFloeKey(new Uint8Array(32))
  const { header } = await startEncryption(key, associated, { segmentBytes: 4096 })
  const resumed = await resumeEncryption(key, associated, header)
  expect(resumed.segmentBytes).toBe(4096)
  const sealed = await resumed.encryptSegment(new Uint8Array(7), 5, true)
  const decryption = await startDecryption(key, associated, header)
  expect(await decryption.decryptSegment(sealed, 5, true)).toEqual(new Uint8Array(7))
  const other = await importFloeKey(new Uint8Array(32).fill(1))
  await expect(resumeEncryption(other, associated, header)).rejects.toThrow(new FloeError('key'))
})

test.each([
  ['shorter than 4 KiB', 4095],
  ['longer than 16 MiB', 16 * 1024 * 1024 + 1],
])('segments %s are not taken from a header', async (_, segmentBytes) => {
  const key = await importFloeKey(new Uint8Array(32))
  const { header } = await startEncryption(key, associated, { segmentBytes })
  await expect(startDecryption(key, associated, header)).rejects.toThrow(
    new FloeError('parameters'),
  )
})
