import type { components } from '@floe/client'
import { bytesOf } from '../http-client.ts'
import { fetchBytes, filePath, type Range } from './fetch-bytes.ts'
import type { Visit } from './visit.ts'

type SharedFile = components['schemas']['SharedFile']

/** A file of a share, as its reader wants it: as it lies there, or decrypted. */
export interface RemoteFile {
  name: string
  sizeBytes: number
  /** `undefined` while nobody has computed it. */
  sha256: string | undefined
  /** The address of its bytes, which tells it from every other one. */
  source: string
  /**
   * Pieces of memory that is used again: what one holds counts until the next. Ends early, or fails
   * with a `NetworkError`, where the connection is lost.
   */
  read(range: Range): AsyncIterable<Buffer>
}

export function plainRemoteFile(visit: Visit, file: SharedFile): RemoteFile {
  const source = filePath(visit.share.id, file.id)
  const sizeBytes = Number(file.size)
  return {
    name: file.name,
    sizeBytes,
    sha256: file.sha256,
    source,
    async *read(range) {
      const isWhole = range.start === 0 && range.end === sizeBytes
      yield* bytesOf(await fetchBytes(visit, source, isWhole ? undefined : range))
    },
  }
}
