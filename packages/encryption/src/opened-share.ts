import { type FloeDecryption, FloeError, FloeLayout, HEADER_BYTES } from '@floe/aead'
import { openFile } from './encrypted-file.ts'
import {
  decryptManifest,
  type Manifest,
  MANIFEST_NAME,
  type ManifestFile,
  MOST_MANIFEST_BYTES,
} from './manifest.ts'
import { Pieces, takeOnly } from './pieces.ts'
import type { ContentKey, ShareKey } from './share-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes from `start` up to and without `end`. */
export interface Range {
  start: number
  end: number
}

/** A file as the server lists it. */
export interface StoredFile {
  id: string
  name: string
  /** Of the ciphertext; a decimal string of bytes. */
  size: string
}

/**
 * What is there of a stored file, in pieces that are used up before the next one is asked for. Ends
 * early, or fails, where the connection is lost.
 */
export type ReadStored = (fileId: string, range: Range) => AsyncIterable<Uint8Array>

/** A file of an encrypted share as its reader wants it: by the name it had, and decrypted. */
export interface OpenedFile extends Omit<ManifestFile, 'id'> {
  /** What the server calls it. */
  storedId: string
  /**
   * Text of the file, never before it has been found authentic; ends early where the connection is
   * lost.
   *
   * @param through How to read what is stored, where not as at the opening.
   * @throws FloeError Where what is stored is not what was sent.
   */
  read(range: Range, through?: ReadStored): AsyncGenerator<Bytes, undefined>
}

/** Why a share cannot be read. */
export type ShareFault =
  'no_manifest' | 'long_manifest' | 'connection' | 'key' | 'damaged_manifest' | 'lacks_file'

export class EncryptedShareError extends Error {
  override readonly name = 'EncryptedShareError'
  readonly fault: ShareFault
  /** Of the file that is not there. */
  readonly fileName: string | null

  constructor(fault: ShareFault, { cause, fileName = null }: FaultDetails = {}) {
    super(`the encrypted share cannot be read: ${fault}`, { cause })
    this.fault = fault
    this.fileName = fileName
  }
}

interface FaultDetails {
  cause?: unknown
  fileName?: string | null
}

/**
 * The files of a share as its manifest names them.
 *
 * @throws EncryptedShareError Where it is not whole, or the key that of another.
 */
export async function openEncryptedShare({
  shareKey,
  stored,
  read,
}: {
  shareKey: ShareKey
  stored: readonly StoredFile[]
  read: ReadStored
}): Promise<OpenedFile[]> {
  const byName = new Map(stored.map((file) => [file.name, file]))
  const manifest = byName.get(MANIFEST_NAME)
  if (manifest === undefined) throw new EncryptedShareError('no_manifest')
  const { contentKey, files } = await readManifest({ shareKey, stored: manifest, read })
  return files.map((file) => {
    const found = byName.get(file.id)
    if (found === undefined) throw new EncryptedShareError('lacks_file', { fileName: file.name })
    return toOpenedFile({ contentKey, file, stored: found, read })
  })
}

interface Sealed {
  stored: StoredFile
  read: ReadStored
}

async function readManifest({
  shareKey,
  stored,
  read,
}: Sealed & { shareKey: ShareKey }): Promise<Manifest> {
  const end = Number(stored.size)
  if (end > MOST_MANIFEST_BYTES) throw new EncryptedShareError('long_manifest')
  const sealed = await takeOnly(read(stored.id, { start: 0, end }), end)
  if (sealed === null) throw new EncryptedShareError('connection')
  try {
    return await decryptManifest(shareKey, sealed)
  } catch (cause) {
    const isKey = cause instanceof FloeError && cause.fault === 'key'
    throw new EncryptedShareError(isKey ? 'key' : 'damaged_manifest', { cause })
  }
}

interface Opening {
  decryption: FloeDecryption
  layout: FloeLayout
}

function toOpenedFile({
  contentKey,
  file,
  stored,
  read,
}: Sealed & { contentKey: ContentKey; file: ManifestFile }): OpenedFile {
  const cipherBytes = Number(stored.size)
  let known: Opening | null = null

  async function open(header: Bytes): Promise<Opening> {
    const decryption = await openFile(contentKey, file.id, header)
    const layout = FloeLayout.ofCiphertext(cipherBytes, decryption.segmentBytes)
    if (layout.plainBytes !== file.size) throw new FloeError('truncated')
    return { decryption, layout }
  }

  /** Of one that is read whole the header comes with the rest, which is half the requests. */
  async function* readWhole(through: ReadStored): AsyncGenerator<Bytes, undefined> {
    const pieces = new Pieces(through(stored.id, { start: 0, end: cipherBytes }))
    try {
      const header = await pieces.take(HEADER_BYTES)
      if (header === null) return undefined
      known ??= await open(header)
      yield* decrypt(pieces, known, { first: 0, end: cipherBytes })
    } finally {
      await pieces.close()
    }
    return undefined
  }

  async function* readRange(range: Range, through: ReadStored): AsyncGenerator<Bytes, undefined> {
    if (known === null) {
      // What goes on with a download is no other one, though it has to begin with the header.
      const readHeader = range.start === 0 ? through : read
      const header = await takeOnly(
        readHeader(stored.id, { start: 0, end: HEADER_BYTES }),
        HEADER_BYTES,
      )
      if (header === null) return undefined
      known = await open(header)
    }
    const opening = known
    const { layout } = opening
    const first = layout.positionOf(range.start)
    const { start } = layout.cipherRange(first)
    const { end } = layout.cipherRange(layout.positionOf(range.end - 1))
    const pieces = new Pieces(through(stored.id, { start, end }))
    let from = layout.plainRange(first).start
    try {
      for await (const text of decrypt(pieces, opening, { first, end })) {
        yield text.subarray(Math.max(0, range.start - from), range.end - from)
        from += text.length
      }
    } finally {
      await pieces.close()
    }
    return undefined
  }

  const { id: _, ...described } = file
  return {
    ...described,
    storedId: stored.id,
    read: ({ start, end }, through = read) =>
      start === 0 && end === file.size ? readWhole(through) : readRange({ start, end }, through),
  }
}

/** Segment by segment from `first` on to the offset `end` of the ciphertext. */
async function* decrypt(
  pieces: Pieces,
  { decryption, layout }: Opening,
  { first, end }: { first: number; end: number },
): AsyncGenerator<Bytes, undefined> {
  for (let position = first; position < layout.segmentCount; position += 1) {
    const range = layout.cipherRange(position)
    if (range.start >= end) return undefined
    const sealed = await pieces.take(range.end - range.start)
    if (sealed === null) return undefined
    yield await decryption.decryptSegment(sealed, position, layout.isLast(position))
  }
  return undefined
}
