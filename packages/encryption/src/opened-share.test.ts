import { encryptStream, type FloeError } from '@floe/aead'
import { describe, expect, test } from 'vitest'
import {
  beginFile,
  createContentKey,
  createFileId,
  createShareKey,
  encryptManifest,
  openEncryptedShare,
  type Range,
  type ReadStored,
  type StoredFile,
} from './index.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SEGMENT_BYTES = 4096
const PLAIN_BYTES = SEGMENT_BYTES - 32
const key = createShareKey()
const contentKey = createContentKey()

async function whole(stream: ReadableStream<Uint8Array>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Encrypts files, and stores them in memory as a server would. */
async function store(texts: Readonly<Record<string, Bytes>>) {
  const contents = new Map<string, Bytes>()
  const stored: StoredFile[] = []
  const requests: (Range & { fileId: string })[] = []
  function add(name: string, content: Bytes) {
    const id = `stored-${stored.length}`
    contents.set(id, content)
    stored.push({ id, name, size: String(content.length) })
  }
  const files = []
  for (const [name, text] of Object.entries(texts)) {
    const id = createFileId()
    const encryption = await beginFile(contentKey, id, { segmentBytes: SEGMENT_BYTES })
    add(id, await whole(new Blob([text]).stream().pipeThrough(encryptStream(encryption))))
    const digests = { crc32: '00000000', sha256: 'ab'.repeat(32) }
    files.push({ id, name, size: text.length, ...digests })
  }
  add('manifest', new Uint8Array(await encryptManifest(key, { contentKey, files })))
  const read: ReadStored = async function* (fileId, range) {
    requests.push({ fileId, ...range })
    const content = contents.get(fileId)?.subarray(range.start, range.end) ?? new Uint8Array(0)
    // As networks cut it, anywhere.
    for (let at = 0; at < content.length; at += 1000) yield content.subarray(at, at + 1000)
  }
  return { contents, stored, requests, read }
}

function text(bytes: number): Bytes {
  return Uint8Array.from({ length: bytes }, (_, index) => (index * 7 + (index >> 8)) % 251)
}

async function openOnly(bytes: number) {
  const plain = text(bytes)
  const share = await store({ 'a.bin': plain })
  const [file] = await openEncryptedShare({ shareKey: key, ...share })
  if (!file) throw new Error('no file')
  share.requests.length = 0
  return { ...share, plain, file }
}

describe('a file of an encrypted share', () => {
  test.each([0, 1, PLAIN_BYTES - 1, PLAIN_BYTES, PLAIN_BYTES + 1, 5 * PLAIN_BYTES])(
    'of %i bytes is read whole by one request',
    async (bytes) => {
      const { file, plain, requests } = await openOnly(bytes)
      expect(await collect(file.read({ start: 0, end: bytes }))).toEqual(Buffer.from(plain))
      expect(requests).toHaveLength(1)
    },
  )

  test('is read in any range, and no more of it is asked for than the segments that hold it', async () => {
    const bytes = 5 * PLAIN_BYTES + 10
    const { file, plain, requests } = await openOnly(bytes)
    const edges = [0, 1, PLAIN_BYTES - 1, PLAIN_BYTES, PLAIN_BYTES + 1, 3 * PLAIN_BYTES, bytes]
    for (const start of edges) {
      for (const end of edges.filter((edge) => edge > start)) {
        requests.length = 0
        const got = await collect(file.read({ start, end }))
        expect(got.equals(plain.subarray(start, end)), `${start} to ${end}`).toBe(true)
        const asked = requests.at(-1)
        const segments = Math.ceil(end / PLAIN_BYTES) - Math.floor(start / PLAIN_BYTES)
        if (start > 0 && asked)
          expect(asked.end - asked.start).toBeLessThanOrEqual(segments * SEGMENT_BYTES)
      }
    }
  })

  test.each([
    ['from its beginning reads it by what the range is read through', 0, 0],
    ['from the middle reads the header by what the share was opened with', PLAIN_BYTES, 1],
  ])('in a range %s', async (_, start, headers) => {
    const { file, requests, read } = await openOnly(2 * PLAIN_BYTES)
    let count = 0
    const through: ReadStored = (...what) => {
      count += 1
      return read(...what)
    }
    await collect(file.read({ start, end: PLAIN_BYTES + 1 }, through))
    expect(requests.length - count).toBe(headers)
  })

  test('ends early where the connection is lost, and never within a segment', async () => {
    const bytes = 3 * PLAIN_BYTES
    const { stored, plain, contents } = await openOnly(bytes)
    const [id = ''] = contents.keys()
    const cut: ReadStored = async function* (fileId, range) {
      const end = fileId === id ? Math.min(range.end, 74 + 2.5 * SEGMENT_BYTES) : range.end
      yield contents.get(fileId)?.subarray(range.start, end) ?? new Uint8Array(0)
    }
    const [file] = await openEncryptedShare({ shareKey: key, stored, read: cut })
    if (!file) throw new Error('no file')
    const got = await collect(file.read({ start: 0, end: bytes }))
    expect(got.equals(plain.subarray(0, 2 * PLAIN_BYTES))).toBe(true)
  })

  test.each<[string, (content: Bytes) => Bytes, FloeError['fault'], number]>([
    ['altered in its second segment', flipAt(74 + SEGMENT_BYTES + 100), 'authentication', 1],
    ['with another header', flipAt(20), 'key', 0],
  ])('%s is refused, behind what is right before it', async (_, alter, fault, right) => {
    const { stored, plain, contents, read } = await openOnly(3 * PLAIN_BYTES)
    const [id = ''] = contents.keys()
    contents.set(id, alter(contents.get(id) ?? new Uint8Array(0)))
    const [file] = await openEncryptedShare({ shareKey: key, stored, read })
    if (!file) throw new Error('no file')
    const got: Uint8Array[] = []
    const reading = (async () => {
      for await (const piece of file.read({ start: 0, end: plain.length })) got.push(piece)
    })()
    await expect(reading).rejects.toMatchObject({ name: 'FloeError', fault })
    expect(Buffer.concat(got).equals(plain.subarray(0, right * PLAIN_BYTES))).toBe(true)
  })

  test('cut at the end of a segment is refused before anything is given out', async () => {
    const { stored, plain, contents, read } = await openOnly(3 * PLAIN_BYTES)
    const cut = stored.map((file) =>
      file.name === 'manifest' ? file : { ...file, size: String(74 + 2 * SEGMENT_BYTES) },
    )
    const [id = ''] = contents.keys()
    contents.set(id, contents.get(id)?.slice(0, 74 + 2 * SEGMENT_BYTES) ?? new Uint8Array(0))
    const [file] = await openEncryptedShare({ shareKey: key, stored: cut, read })
    if (!file) throw new Error('no file')
    const reading = collect(file.read({ start: 0, end: plain.length }))
    await expect(reading).rejects.toMatchObject({ name: 'FloeError', fault: 'truncated' })
  })
})

describe('an encrypted share', () => {
  test('is refused by the key of another', async () => {
    const share = await store({ a: text(1) })
    const opening = openEncryptedShare({ shareKey: createShareKey(), ...share })
    await expect(opening).rejects.toMatchObject({ fault: 'key' })
  })

  test('without its manifest, or a file that is named in it, says so', async () => {
    const share = await store({ 'a.txt': text(1) })
    const without = (name: (file: StoredFile) => boolean) =>
      openEncryptedShare({ shareKey: key, ...share, stored: share.stored.filter(name) })
    await expect(without(({ name }) => name !== 'manifest')).rejects.toMatchObject({
      fault: 'no_manifest',
    })
    await expect(without(({ name }) => name === 'manifest')).rejects.toMatchObject({
      fault: 'lacks_file',
      fileName: 'a.txt',
    })
  })

  test('tells a manifest that is damaged from one that did not come whole', async () => {
    const share = await store({ a: text(1) })
    const open = (change: (content: Bytes) => Bytes) =>
      openEncryptedShare({
        shareKey: key,
        ...share,
        read: async function* (fileId) {
          yield change(share.contents.get(fileId) ?? new Uint8Array(0))
        },
      })
    await expect(open(flipAt(120))).rejects.toMatchObject({ fault: 'damaged_manifest' })
    await expect(open((content) => content.slice(0, -1))).rejects.toMatchObject({
      fault: 'connection',
    })
  })
})

function flipAt(offset: number) {
  return (content: Bytes): Bytes => {
    const changed = content.slice()
    changed[offset] = (changed[offset] ?? 0) ^ 1
    return changed
  }
}
