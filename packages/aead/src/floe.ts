import { FloeError } from './floe-error.ts'
import {
  DEFAULT_SEGMENT_BYTES,
  encodeParameters,
  HEADER_BYTES,
  readSegmentBytes,
  SEGMENT_OVERHEAD_BYTES,
} from './layout.ts'

/**
 * Fast Lightweight Online Encryption, https://c2sp.org/FLOE: the four functions of its interface
 * for random access. `streams.ts` has what goes from beginning to end.
 */

type Bytes = Uint8Array<ArrayBuffer>
/** WebCrypto's `CryptoKey`, which browsers and Node declare in different places. */
export type FloeKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const IV_BYTES = 32
const SEGMENT_IV_BYTES = 12
const NOT_LAST = 0xffff_ffff
/** 2^20 segments share a key. */
const ROTATION_BITS = 20

export interface FloeOptions {
  /** `ENC_SEG_LEN`, with the 32 bytes that each segment adds. */
  segmentBytes?: number
  /** For known answers alone, which change keys after a few segments. */
  rotationBits?: number
}

export interface FloeEncryption {
  readonly header: Bytes
  readonly segmentBytes: number
  /**
   * One segment, with a fresh IV: encrypting a position again gives other bytes, either of which is
   * good. Who encrypts two texts at one position has made two ciphertexts.
   *
   * @param text Fills its segment, unless it is the last.
   * @param position Counts from 0.
   * @param into Of the length of the text and `SEGMENT_OVERHEAD_BYTES`; what is returned, filled.
   */
  encryptSegment(text: Bytes, position: number, isLast: boolean, into?: Bytes): Promise<Bytes>
}

export interface FloeDecryption {
  readonly segmentBytes: number
  /**
   * @param isLast By where the ciphertext ends, which the caller knows; never by what the segment says.
   * @throws FloeError `framing` or `authentication`; nothing of the segment is given out.
   */
  decryptSegment(sealed: Bytes, position: number, isLast: boolean): Promise<Bytes>
}

/** A key of 32 random bytes, which can then not be read again. */
export function importFloeKey(bytes: Bytes): Promise<FloeKey> {
  if (bytes.length !== 32) throw new RangeError('A key of FLOE has 32 bytes')
  return importHmacKey(bytes)
}

/** @param associated Has to be known for decryption, and is not stored. */
export async function startEncryption(
  key: FloeKey,
  associated: Bytes,
  { segmentBytes = DEFAULT_SEGMENT_BYTES, rotationBits }: FloeOptions = {},
): Promise<FloeEncryption> {
  const parameters = encodeParameters(segmentBytes)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const message = { parameters, iv, associated }
  const tag = await derive(key, message, 'HEADER_TAG:', 32)
  const keys = new SegmentKeys(await messageKey(key, message), message, rotationBits)
  return encryptionOf(keys, join(parameters, iv, tag), segmentBytes)
}

/**
 * Goes on behind any segment of the ciphertext that this header begins.
 *
 * @throws FloeError `parameters` or `key`.
 */
export async function resumeEncryption(
  key: FloeKey,
  associated: Bytes,
  header: Bytes,
): Promise<FloeEncryption> {
  const { keys, segmentBytes } = await readHeader(key, associated, header)
  return encryptionOf(keys, header, segmentBytes)
}

function encryptionOf(keys: SegmentKeys, header: Bytes, segmentBytes: number): FloeEncryption {
  return {
    header,
    segmentBytes,
    encryptSegment: async (text, position, isLast, into) => {
      const bytes = text.length + SEGMENT_OVERHEAD_BYTES
      if (isLast ? bytes > segmentBytes : bytes !== segmentBytes)
        throw new RangeError('The text does not fit its segment')
      if (into && into.length !== bytes) throw new RangeError('The segment does not fit its memory')
      return seal(keys, { text, position, isLast, into: into ?? new Uint8Array(bytes) })
    },
  }
}

/**
 * @param options `segmentBytes` absent, what the header tells is taken, within bounds.
 * @throws FloeError `parameters` or `key`.
 */
export async function startDecryption(
  key: FloeKey,
  associated: Bytes,
  header: Bytes,
  options: FloeOptions = {},
): Promise<FloeDecryption> {
  const { keys, segmentBytes } = await readHeader(key, associated, header, options)
  return {
    segmentBytes,
    decryptSegment: async (sealed, position, isLast) => {
      if (!isFramed(sealed, segmentBytes, isLast)) throw new FloeError('framing', position)
      return open(keys, sealed, position, isLast)
    },
  }
}

/** The keys of its segments, once it is found to be of this key and of what is associated. */
async function readHeader(
  key: FloeKey,
  associated: Bytes,
  header: Bytes,
  { segmentBytes = readSegmentBytes(header), rotationBits }: FloeOptions = {},
): Promise<{ keys: SegmentKeys; segmentBytes: number }> {
  const parameters = encodeParameters(segmentBytes)
  const isKnown = parameters.every((byte, index) => header[index] === byte)
  if (header.length !== HEADER_BYTES || !isKnown) throw new FloeError('parameters')
  const iv = header.slice(parameters.length, parameters.length + IV_BYTES)
  const message = { parameters, iv, associated }
  const tag = await derive(key, message, 'HEADER_TAG:', 32)
  if (!isSame(tag, header.subarray(parameters.length + IV_BYTES))) throw new FloeError('key')
  const keys = new SegmentKeys(await messageKey(key, message), message, rotationBits)
  return { keys, segmentBytes }
}

function isFramed(sealed: Bytes, segmentBytes: number, isLast: boolean): boolean {
  if (sealed.length < SEGMENT_OVERHEAD_BYTES || sealed.length > segmentBytes) return false
  if (!isLast && sealed.length !== segmentBytes) return false
  const told = new DataView(sealed.buffer, sealed.byteOffset).getUint32(0)
  return told === (isLast ? sealed.length : NOT_LAST)
}

interface Sealing {
  text: Bytes
  position: number
  isLast: boolean
  into: Bytes
}

async function seal(keys: SegmentKeys, { text, position, isLast, into }: Sealing) {
  const iv = crypto.getRandomValues(new Uint8Array(SEGMENT_IV_BYTES))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: place(position, isLast) },
    await keys.at(position),
    text,
  )
  new DataView(into.buffer, into.byteOffset).setUint32(0, isLast ? into.length : NOT_LAST)
  into.set(iv, 4)
  into.set(new Uint8Array(sealed), 4 + SEGMENT_IV_BYTES)
  return into
}

async function open(keys: SegmentKeys, sealed: Bytes, position: number, isLast: boolean) {
  const iv = sealed.subarray(4, 4 + SEGMENT_IV_BYTES)
  const key = await keys.at(position)
  try {
    const text = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv, additionalData: place(position, isLast) },
      key,
      sealed.subarray(4 + SEGMENT_IV_BYTES),
    )
    return new Uint8Array(text)
  } catch (cause) {
    throw new FloeError('authentication', position, { cause })
  }
}

/** What a segment is bound to: its position and whether it is the last. */
function place(position: number, isLast: boolean): Bytes {
  const bytes = new Uint8Array(9)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(position))
  bytes[8] = isLast ? 1 : 0
  return bytes
}

interface Message {
  parameters: Bytes
  iv: Bytes
  associated: Bytes
}

/** The keys of AES for a run of segments each; the last one asked for is kept. */
class SegmentKeys {
  readonly #messageKey: FloeKey
  readonly #message: Message
  readonly #run: bigint
  #kept: { run: bigint; key: Promise<FloeKey> } | null = null

  constructor(messageKey: FloeKey, message: Message, rotationBits = ROTATION_BITS) {
    this.#messageKey = messageKey
    this.#message = message
    this.#run = 1n << BigInt(rotationBits)
  }

  at(position: number): Promise<FloeKey> {
    const run = BigInt(position) - (BigInt(position) % this.#run)
    if (this.#kept?.run !== run) this.#kept = { run, key: this.#derive(run) }
    return this.#kept.key
  }

  async #derive(firstPosition: bigint): Promise<FloeKey> {
    const number = new Uint8Array(8)
    new DataView(number.buffer).setBigUint64(0, firstPosition)
    const purpose = join(ascii('DEK:'), number)
    const key = await derive(this.#messageKey, this.#message, purpose, 32)
    return crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  }
}

async function messageKey(key: FloeKey, message: Message): Promise<FloeKey> {
  return importHmacKey(await derive(key, message, 'MESSAGE_KEY:', 48))
}

function importHmacKey(bytes: Bytes): Promise<FloeKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-384' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
}

/**
 * `FLOE_KDF`. No value is longer than a hash, so HKDF-Expand (RFC 5869, 2.3) is its first block.
 * WebCrypto's own HKDF extracts before, which FLOE does not.
 */
async function derive(
  key: FloeKey,
  { parameters, iv, associated }: Message,
  purpose: string | Bytes,
  bytes: number,
): Promise<Bytes> {
  const named = typeof purpose === 'string' ? ascii(purpose) : purpose
  const info = join(parameters, iv, named, associated, new Uint8Array([1]))
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, info)).slice(0, bytes)
}

/** In the same time wherever they differ. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}

function ascii(text: string): Bytes {
  return new TextEncoder().encode(text)
}

function join(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}
