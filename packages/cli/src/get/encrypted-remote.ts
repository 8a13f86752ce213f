import { type FloeDecryption, FloeError, FloeLayout, HEADER_BYTES } from '@floe/aead'
import {
  decryptManifest,
  type Manifest,
  MANIFEST_NAME,
  type ManifestFile,
  MOST_MANIFEST_BYTES,
  openFile,
  type ShareKey,
} from '@floe/encryption'
import { CliError, exitCodes, NetworkError } from '../failures.ts'
import { createPatience, persist } from '../send/patience.ts'
import { bytesOf } from '../http-client.ts'
import { fetchBytes, filePath, type Range } from './fetch-bytes.ts'
import type { RemoteFile } from './remote-file.ts'
import type { Visit } from './visit.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The files of an encrypted share as its manifest names them. Throws a `CliError` where it is not whole. */
export async function listEncrypted(visit: Visit, shareKey: ShareKey): Promise<RemoteFile[]> {
  const { share } = visit
  const stored = new Map(share.files.map((file) => [file.name, file]))
  const manifest = stored.get(MANIFEST_NAME)
  if (manifest === undefined) throw damaged('has no list of its files')
  const { files } = await readManifest(visit, shareKey, {
    source: filePath(share.id, manifest.id),
    cipherBytes: Number(manifest.size),
  })
  return files.map((file) => {
    const found = stored.get(file.id)
    if (found === undefined) throw damaged(`lacks ${file.name}`)
    const source = filePath(share.id, found.id)
    return encryptedRemote(visit, { shareKey, file, source, cipherBytes: Number(found.size) })
  })
}

interface Ciphertext {
  source: string
  cipherBytes: number
}

async function readManifest(
  visit: Visit,
  shareKey: ShareKey,
  { source, cipherBytes }: Ciphertext,
): Promise<Manifest> {
  if (cipherBytes > MOST_MANIFEST_BYTES) throw damaged('has too long a list of files')
  const sealed = await persist(
    () => fetchExactly(visit, source, { start: 0, end: cipherBytes }),
    createPatience(),
  )
  try {
    return await decryptManifest(shareKey, sealed)
  } catch (error) {
    if (error instanceof FloeError && error.fault === 'key') {
      throw new CliError('The key in the link is not that of this share.', exitCodes.refused)
    }
    throw damaged('has a list of files that cannot be read', error)
  }
}

function encryptedRemote(
  visit: Visit,
  { shareKey, file, source, cipherBytes }: Ciphertext & { shareKey: ShareKey; file: ManifestFile },
): RemoteFile {
  let opening: Promise<Opened> | null = null

  async function open(): Promise<Opened> {
    const header = await fetchExactly(visit, source, { start: 0, end: HEADER_BYTES })
    const decryption = await openFile(shareKey, file.id, header)
    const layout = FloeLayout.ofCiphertext(cipherBytes, decryption.segmentBytes)
    if (layout.plainBytes !== file.size) throw new FloeError('truncated')
    return { decryption, layout }
  }

  async function* decrypt({ start, end }: Range): AsyncGenerator<Buffer, undefined> {
    // What failed for the sake of the network is tried again.
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    const { decryption, layout } = await opening
    const first = layout.positionOf(start)
    const last = end > start ? layout.positionOf(end - 1) : first
    const range = { start: layout.cipherRange(first).start, end: layout.cipherRange(last).end }
    let position = first
    for await (const sealed of segmentsOf(visit, source, { range, bytes: layout.segmentBytes })) {
      const text = await decryption.decryptSegment(sealed, position, layout.isLast(position))
      const from = layout.plainRange(position).start
      position += 1
      yield Buffer.from(text.subarray(Math.max(0, start - from), end - from))
    }
    return undefined
  }

  return {
    name: file.name,
    sizeBytes: file.size,
    sha256: file.sha256,
    source,
    async *read(range) {
      try {
        yield* decrypt(range)
      } catch (error) {
        if (error instanceof FloeError) throw damaged(`has damaged bytes in ${file.name}`, error)
        throw error
      }
    },
  }
}

interface Opened {
  decryption: FloeDecryption
  layout: FloeLayout
}

/** Whole segments of a range that begins with one. Ends early where the connection is lost. */
async function* segmentsOf(
  visit: Visit,
  source: string,
  { range, bytes }: { range: Range; bytes: number },
): AsyncGenerator<Bytes, undefined> {
  const { body } = await fetchBytes(visit, source, range)
  try {
    for (let at = range.start; at < range.end; at += bytes) {
      const segment = new Uint8Array(Math.min(bytes, range.end - at))
      if ((await body.read(segment)) < segment.length) return undefined
      yield segment
    }
    return undefined
  } finally {
    body.destroy()
  }
}

async function fetchExactly(visit: Visit, source: string, range: Range): Promise<Bytes> {
  const response = await fetchBytes(visit, source, range)
  const bytes = new Uint8Array(range.end - range.start)
  let count = 0
  for await (const piece of bytesOf(response)) {
    // A server that sends more than it was asked for says something else than it announced.
    bytes.set(piece.subarray(0, bytes.length - count), count)
    count += piece.length
  }
  if (count < bytes.length) throw new NetworkError('The connection was lost')
  return bytes
}

function damaged(what: string, cause?: unknown): CliError {
  const error = new CliError(`The share ${what}.`)
  if (cause !== undefined) error.cause = cause
  return error
}
