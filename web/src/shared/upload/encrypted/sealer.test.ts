import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { MOST_BATCH_FILE_BYTES } from '@floe/contracts'
import { createContentKey, createFileId, encryptedBytes, openFile } from '@floe/encryption'
import { describe, expect, it } from 'vitest'
import { createSealer, type SealOrder } from './sealer.ts'

const SEGMENT_BYTES = 4096
/** Of the text that a full segment holds. */
const PLAIN_BYTES = SEGMENT_BYTES - 32
/** Of files that WebAssembly hashes while they are read; WebCrypto takes others whole. */
const HASHED_IN_PIECES = MOST_BATCH_FILE_BYTES + 1

function orderOf(bytes: number) {
  const text = randomBytes(bytes)
  const order: SealOrder = {
    file: new Blob([text]),
    contentKey: createContentKey(),
    id: createFileId(),
    header: null,
    segmentBytes: SEGMENT_BYTES,
  }
  return { text, order }
}

const bytesOf = async (body: Blob) => new Uint8Array(await body.arrayBuffer())

const digestsOf = (text: Buffer) => ({
  crc32: crc32(text).toString(16).padStart(8, '0'),
  sha256: createHash('sha256').update(text).digest('hex'),
})

describe('a sealer', () => {
  it.each([0, 1, PLAIN_BYTES, 3 * PLAIN_BYTES + 1, HASHED_IN_PIECES])(
    'knows the digests of a file of %i bytes once its last block is made',
    async (bytes) => {
      const { text, order } = orderOf(bytes)
      const sealer = await createSealer(order)
      const sizeBytes = encryptedBytes(bytes, SEGMENT_BYTES)
      let offset = 0
      while (offset < sizeBytes) {
        const block = await sealer.block(offset, 2 * SEGMENT_BYTES)
        expect(block.crc32).toBe(crc32(await bytesOf(block.body)))
        expect(block.text.crc32).toBe(crc32(text.subarray(0, block.text.bytes)))
        offset += block.body.size
        expect(block.digests).toEqual(offset < sizeBytes ? null : digestsOf(text))
      }
    },
  )

  it.each([0, 1, 3 * PLAIN_BYTES + 1])('makes all of a small file of %i bytes', async (bytes) => {
    const { text, order } = orderOf(bytes)
    const { body, ...whole } = await (await createSealer(order)).whole()
    expect(body.length).toBe(encryptedBytes(bytes, SEGMENT_BYTES))
    const prefix = { bytes, crc32: crc32(text) }
    expect(whole).toMatchObject({ text: prefix, digests: digestsOf(text) })
    const file = await openFile(order.contentKey, order.id, whole.header)
    const opened = await file.decryptSegment(
      body.slice(74, 74 + SEGMENT_BYTES),
      0,
      bytes <= PLAIN_BYTES,
    )
    expect(Buffer.from(opened).equals(text.subarray(0, PLAIN_BYTES))).toBe(true)
  })

  it.each([0, 74, SEGMENT_BYTES])(
    'gathers as many whole segments as fit, with %i bytes to spare, more than it has in memory',
    async (spare) => {
      const { order } = orderOf(600 * SEGMENT_BYTES)
      const sealer = await createSealer(order)
      const { header, body } = await sealer.block(0, 400 * SEGMENT_BYTES + spare)
      const count = (400 * SEGMENT_BYTES + spare - 74) / SEGMENT_BYTES
      expect(body.size).toBe(header.length + Math.floor(count) * SEGMENT_BYTES)
      const rest = await sealer.block(body.size, Infinity)
      expect(body.size + rest.body.size).toBe(encryptedBytes(order.file.size, SEGMENT_BYTES))
    },
  )

  it.each([3 * PLAIN_BYTES, HASHED_IN_PIECES])(
    'of a file of %i bytes counts a block that is made again once, and reads what it did not see',
    async (bytes) => {
      const { text, order } = orderOf(bytes)
      const sealer = await createSealer(order)
      const first = await sealer.block(0, 74 + SEGMENT_BYTES)
      const again = await sealer.block(0, 74 + SEGMENT_BYTES)
      expect(again.text).toEqual(first.text)
      expect(await sealer.finish()).toEqual(digestsOf(text))
      expect(await sealer.finish()).toEqual(digestsOf(text))
    },
  )

  it('goes on with what another one began, once it has read up to there', async () => {
    const { text, order } = orderOf(3 * PLAIN_BYTES)
    const { header, body, text: mark } = await (await createSealer(order)).block(0, 5000)
    const sealer = await createSealer({ ...order, header })
    expect(await sealer.readOn(mark.bytes)).toEqual(mark)
    const rest = await sealer.block(body.size, Infinity)
    expect(rest.header).toEqual(header)
    expect(rest.digests).toEqual(digestsOf(text))
  })

  it('refuses a file that cannot be read to its end', async () => {
    const { order } = orderOf(100)
    const file = Object.defineProperty(order.file, 'size', { value: 200 })
    const sealer = await createSealer({ ...order, file })
    await expect(sealer.block(0, Infinity)).rejects.toThrow(RangeError)
  })
})
