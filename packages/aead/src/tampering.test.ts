import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FloeError } from './floe-error.ts'
import { importFloeKey, startDecryption, startEncryption } from './floe.ts'
import { FloeLayout, HEADER_BYTES, SEGMENT_OVERHEAD_BYTES } from './layout.ts'
import { decryptStream, encryptStream } from './streams.ts'

type Bytes = Uint8Array<ArrayBuffer>

const SEGMENT_BYTES = 48
const TEXT_BYTES = SEGMENT_BYTES - SEGMENT_OVERHEAD_BYTES
const options = { segmentBytes: SEGMENT_BYTES, rotationBits: 1 }
const associated = new TextEncoder().encode('floe test')
const key = await importFloeKey(crypto.getRandomValues(new Uint8Array(32)))

async function encrypt(text: Uint8Array): Promise<Bytes> {
  const encryption = await startEncryption(key, associated, options)
  return collect(pieces(text, [text.length || 1]).pipeThrough(encryptStream(encryption)))
}

function pieces(bytes: Uint8Array, lengths: number[]): ReadableStream<Uint8Array> {
  let offset = 0
  let turn = 0
  return new ReadableStream({
    pull: (controller) => {
      if (offset >= bytes.length) return controller.close()
      const end = offset + (lengths[turn++ % lengths.length] ?? 1)
      controller.enqueue(bytes.slice(offset, end))
      offset = end
    },
  })
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** What came out before the ciphertext ended or was refused, and by what. */
async function inSequence(sealed: Uint8Array, lengths = [sealed.length || 1]) {
  const given: number[] = []
  try {
    const text = pieces(sealed, lengths).pipeThrough(
      decryptStream((header) => startDecryption(key, associated, header, options)),
    )
    for await (const piece of text) given.push(...piece)
    return { given, error: null }
  } catch (error) {
    if (!(error instanceof FloeError)) throw error
    return { given, error }
  }
}

/** Each segment by itself, as who seeks reads them. */
async function byPosition(sealed: Bytes) {
  const given = new Map<number, Uint8Array>()
  const refused = new Map<number, FloeError>()
  const layout = FloeLayout.ofCiphertext(sealed.length, SEGMENT_BYTES)
  const header = sealed.slice(0, HEADER_BYTES)
  const decryption = await startDecryption(key, associated, header, options)
  for (let position = 0; position < layout.segmentCount; position++) {
    const { start, end } = layout.cipherRange(position)
    try {
      const segment = sealed.slice(start, end)
      const text = await decryption.decryptSegment(segment, position, layout.isLast(position))
      given.set(position, text)
    } catch (error) {
      if (!(error instanceof FloeError)) throw error
      refused.set(position, error)
    }
  }
  return { given, refused }
}

/** Whatever was done to a ciphertext, a segment gives its own text or none. */
function expectOwnTexts(text: Uint8Array, given: ReadonlyMap<number, Uint8Array>): void {
  for (const [position, found] of given)
    expect(found).toEqual(text.slice(position * TEXT_BYTES, (position + 1) * TEXT_BYTES))
}

const texts = fc.uint8Array({ maxLength: 8 * TEXT_BYTES })
const runs = { numRuns: 2000 }

test('any text, cut into any pieces, comes back whole', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(texts, lengths, async (text, cuts) => {
      const sealed = await encrypt(text)
      expect(sealed.length).toBe(FloeLayout.ofText(text.length, SEGMENT_BYTES).cipherBytes)
      const { given, error } = await inSequence(sealed, cuts)
      expect(error).toBeNull()
      expect(given).toEqual([...text])
    }),
    runs,
  )
})

test('any bit that is flipped is found where it is, in sequence and by position', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(), fc.nat(7), async (text, place, bit) => {
      const sealed = await encrypt(text)
      const index = place % sealed.length
      sealed[index] = (sealed[index] ?? 0) ^ (1 << bit)
      const { given, error } = await inSequence(sealed)
      if (index < HEADER_BYTES) {
        expect(error?.fault).toBe(index < 10 ? 'parameters' : 'key')
        expect(given).toEqual([])
        return
      }
      const position = Math.floor((index - HEADER_BYTES) / SEGMENT_BYTES)
      expect(error?.segment).toBe(position)
      expect(given).toEqual([...text.subarray(0, position * TEXT_BYTES)])
      const { given: alone, refused } = await byPosition(sealed)
      expectOwnTexts(text, alone)
      expect([...refused.keys()]).toEqual([position])
    }),
    runs,
  )
})

test('a ciphertext that is cut anywhere is refused, and by position no other text comes', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(), async (text, place) => {
      const whole = await encrypt(text)
      const sealed = whole.slice(0, place % whole.length)
      const { given, error } = await inSequence(sealed)
      expect(error).not.toBeNull()
      expect(given).toEqual([...text.subarray(0, given.length)])
      if (sealed.length <= HEADER_BYTES) return
      const lastBytes = (sealed.length - HEADER_BYTES) % SEGMENT_BYTES
      if (lastBytes > 0 && lastBytes < SEGMENT_OVERHEAD_BYTES) {
        const layOut = () => FloeLayout.ofCiphertext(sealed.length, SEGMENT_BYTES)
        expect(layOut).toThrow(new FloeError('truncated'))
        return
      }
      const last = Math.ceil((sealed.length - HEADER_BYTES) / SEGMENT_BYTES) - 1
      const { given: alone, refused } = await byPosition(sealed)
      expectOwnTexts(text, alone)
      expect(refused.has(last)).toBe(true)
    }),
    runs,
  )
})

test('segments that are swapped, repeated, dropped or foreign are refused at the first of them', async () => {
  const kinds = fc.constantFrom('swapped', 'repeated', 'dropped', 'foreign', 'behind the end')
  const long = fc.uint8Array({ minLength: 2 * TEXT_BYTES + 1, maxLength: 8 * TEXT_BYTES })
  await fc.assert(
    fc.asyncProperty(long, kinds, fc.nat(), fc.nat(), async (text, kind, first, second) => {
      const sealed = await encrypt(text)
      const { segments, header } = cut(sealed)
      const one = first % (segments.length - 1)
      const other = one + 1 + (second % (segments.length - 1 - one))
      const changed = [...segments]
      if (kind === 'swapped') [changed[one], changed[other]] = [segments[other]!, segments[one]!]
      if (kind === 'repeated') changed.splice(one, 0, segments[one]!)
      if (kind === 'dropped') changed.splice(one, 1)
      if (kind === 'foreign') changed[one] = cut(await encrypt(text)).segments[one]!
      if (kind === 'behind the end') changed.push(segments.at(-1)!)
      const altered = new Uint8Array(Buffer.concat([header, ...changed]))
      // With something behind the end, the very length may be that of no ciphertext.
      if (kind !== 'behind the end') expectOwnTexts(text, (await byPosition(altered)).given)
      const { given, error } = await inSequence(altered)
      const good =
        kind === 'repeated' ? one + 1 : kind === 'behind the end' ? segments.length - 1 : one
      expect(error).not.toBeNull()
      expect(given).toEqual([...text.subarray(0, good * TEXT_BYTES)])
    }),
    runs,
  )
})

test('another key, other associated data or the header of another text is told before any text', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.uint8Array({ maxLength: 40 }), async (text, name) => {
      const sealed = await encrypt(text)
      const header = sealed.slice(0, HEADER_BYTES)
      const otherKey = await importFloeKey(crypto.getRandomValues(new Uint8Array(32)))
      await expect(startDecryption(otherKey, associated, header, options)).rejects.toThrow(
        new FloeError('key'),
      )
      await expect(
        startDecryption(key, new Uint8Array([...name, 0]), header, options),
      ).rejects.toThrow(new FloeError('key'))
      sealed.set((await encrypt(text)).subarray(0, HEADER_BYTES))
      const { given, error } = await inSequence(sealed)
      expect(given).toEqual([])
      expect(error).toEqual(new FloeError('authentication', 0))
    }),
    runs,
  )
})

function cut(sealed: Bytes): { header: Bytes; segments: Bytes[] } {
  const layout = FloeLayout.ofCiphertext(sealed.length, SEGMENT_BYTES)
  const ranges = Array.from({ length: layout.segmentCount }, (_, position) => {
    const { start, end } = layout.cipherRange(position)
    return sealed.slice(start, end)
  })
  return { header: sealed.slice(0, HEADER_BYTES), segments: ranges }
}
