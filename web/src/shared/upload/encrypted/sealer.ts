import { MOST_BATCH_FILE_BYTES } from '@floe/contracts'
import { beginFile, createBlocks, resumeFile } from '@floe/encryption'
import { createSHA256 } from 'hash-wasm'
import { toHex } from '../../hex.ts'
import { updateCrc32 } from '../crc32.ts'
import { createBlobReader } from '../blob-reader.ts'
import type { Prefix } from '../prefix.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is to be encrypted, and by what. */
export interface SealOrder {
  file: Blob
  contentKey: Bytes
  /** That stands for the file. */
  id: string
  /** Of a ciphertext that was begun earlier. */
  header: Bytes | null
  segmentBytes: number
}

/** Of the text, as hexadecimal digits. */
export interface Digests {
  crc32: string
  sha256: string
}

/** What is known of a file once a part of it is encrypted. */
export interface Sealed {
  header: Bytes
  /** The text up to the end of that part. */
  text: Prefix
  /** Of the whole text, once all of it was read. */
  digests: Digests | null
}

export interface SealedBlock extends Sealed {
  body: Blob
  /** Of the body. */
  crc32: number
}

export interface SealedWhole extends Sealed {
  body: Bytes
}

/** Encrypts one file and computes its digests meanwhile, so that it is read once. */
export interface Sealer {
  /** As many whole segments from there on as fit, at least one. */
  block(offset: number, mostBytes: number): Promise<SealedBlock>
  /** All of it, for a file that is small. */
  whole(): Promise<SealedWhole>
  /** Reads on in the text for its digests, a piece of it at most; how far it is then. */
  readOn(toBytes: number): Promise<Prefix>
  /** Of all of it, of which the rest is read. */
  finish(): Promise<Digests>
}

/** In memory at once: the browser keeps what a `Blob` has elsewhere. */
const PIECE_BYTES = 512 * 1024

export async function createSealer(order: SealOrder): Promise<Sealer> {
  const { file, contentKey, id, header, segmentBytes } = order
  const encryption =
    header === null
      ? await beginFile(contentKey, id, { segmentBytes })
      : await resumeFile(contentKey, id, header)
  const digesting = await createDigesting(file.size)

  const reader = createBlobReader(file)
  const blocks = createBlocks(encryption, file.size, async ({ start, end }) => {
    const text = await reader.read(start, end)
    // Sent again, a block was seen before.
    if (start === digesting.prefix().bytes) digesting.add(text)
    return text
  })

  async function readOn(toBytes: number): Promise<Prefix> {
    const { bytes: start } = digesting.prefix()
    const end = Math.min(start + PIECE_BYTES, toBytes)
    if (end > start) digesting.add(await reader.read(start, end))
    return digesting.prefix()
  }

  const sealed = async (): Promise<Sealed> => ({
    header: encryption.header,
    text: digesting.prefix(),
    digests: await digesting.digests(),
  })

  return {
    async block(offset, mostBytes) {
      const parts: Blob[] = []
      let [at, crc32] = [offset, 0]
      const fits = () => Math.min(segmentBytes, blocks.cipherBytes - at) <= offset + mostBytes - at
      do {
        const part = await blocks.encrypt(at, Math.min(PIECE_BYTES, offset + mostBytes - at))
        crc32 = updateCrc32(part, crc32)
        parts.push(new Blob([part]))
        at += part.length
      } while (at < blocks.cipherBytes && fits())
      return { ...(await sealed()), body: new Blob(parts), crc32 }
    },
    async whole() {
      const body = await blocks.encrypt(0, Infinity)
      return { ...(await sealed()), body }
    },
    readOn,
    async finish() {
      while (digesting.prefix().bytes < file.size) await readOn(file.size)
      return digesting.digests() ?? Promise.reject(new RangeError('The file is not read'))
    },
  }
}

/** SHA-256. A small file is not worth an instance of WebAssembly, which takes browsers long. */
async function createHash(textBytes: number) {
  if (textBytes > MOST_BATCH_FILE_BYTES) {
    const hash = await createSHA256()
    return { update: (text: Bytes) => void hash.update(text), digest: async () => hash.digest() }
  }
  const texts: Bytes[] = []
  return {
    // The memory of a part is used again.
    update: (text: Bytes) => void texts.push(text.length < textBytes ? text.slice() : text),
    async digest() {
      const [first, ...others] = texts
      const isWhole = first !== undefined && others.length === 0
      const text = isWhole ? first : await new Blob(texts).arrayBuffer()
      return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
    },
  }
}

/** Takes a text in its order. */
async function createDigesting(textBytes: number) {
  const sha256 = await createHash(textBytes)
  let prefix: Prefix = { bytes: 0, crc32: 0 }
  let digests: Promise<Digests> | null = null
  function add(text: Bytes): void {
    if (digests !== null) return
    sha256.update(text)
    prefix = { bytes: prefix.bytes + text.length, crc32: updateCrc32(text, prefix.crc32) }
    if (prefix.bytes < textBytes) return
    const crc32 = prefix.crc32.toString(16).padStart(8, '0')
    digests = sha256.digest().then((digest) => ({ crc32, sha256: digest }))
  }
  if (textBytes === 0) add(new Uint8Array(0))
  return {
    add,
    prefix: () => prefix,
    digests: () => digests,
  }
}
