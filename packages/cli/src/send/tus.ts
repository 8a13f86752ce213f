import { TUS_VERSION, UPLOADS_PATH } from '@floe/contracts'
import { NetworkError } from '../failures.ts'
import { type BodySource, discard, type HttpResponse, refusalOf } from '../http-client.ts'
import type { Server } from '../server.ts'
import { writeCrc32 } from './crc32.ts'

const version = { 'Tus-Resumable': TUS_VERSION }

/** How far an upload is. */
export interface Position {
  offset: number
  /** Of the bytes before, as the server states it. */
  checksum: string | undefined
}

/** Calls of tus 1.0, each one request. Refusals are thrown as `FloeError`. */
export interface Tus {
  /** Returns the path of the upload. A size that is not known yet is `null`. */
  create(upload: { shareId: string; name: string; sizeBytes: number | null }): Promise<string>
  inspect(path: string): Promise<Position>
  /** Returns the response, whatever it says: a refusal may be that of a proxy. */
  append(path: string, piece: Piece): Promise<HttpResponse>
  terminate(path: string): Promise<void>
}

export interface Piece {
  offset: number
  sizeBytes: number
  body: Buffer | BodySource
  /** The server keeps all of it or nothing (checksum extension); needs its bytes in memory. */
  isWholeOnly?: boolean
  /** Of the whole, once it is known. */
  lengthBytes?: number
  onSent?: (bytes: number) => void
}

export function createTus(server: Server): Tus {
  const { send } = server
  return {
    async create({ shareId, name, sizeBytes }) {
      const response = await send({
        method: 'POST',
        path: UPLOADS_PATH,
        headers: {
          ...version,
          'Content-Length': 0,
          'Upload-Metadata': encodeMetadata({ shareId, ...namesOf(name) }),
          ...(sizeBytes === null ? { 'Upload-Defer-Length': 1 } : { 'Upload-Length': sizeBytes }),
        },
      })
      if (response.status !== 201) throw await refusalOf(response)
      await discard(response)
      const location = response.headers.get('location')
      if (location === undefined) throw new NetworkError('The response names no upload.')
      return pathOf(location, server.address)
    },
    async inspect(path) {
      const response = await send({ method: 'HEAD', path, headers: version })
      await discard(response)
      const offset = Number(response.headers.get('upload-offset'))
      if (response.status !== 200) throw await refusalOf(response)
      if (!Number.isSafeInteger(offset)) throw new NetworkError('The response names no offset.')
      return { offset, checksum: response.headers.get('upload-checksum') }
    },
    append: (path, { offset, sizeBytes, body, isWholeOnly, lengthBytes, onSent }) =>
      send({
        method: 'PATCH',
        path,
        headers: {
          ...version,
          'Content-Type': 'application/offset+octet-stream',
          'Content-Length': sizeBytes,
          'Upload-Offset': offset,
          ...(isWholeOnly && Buffer.isBuffer(body) && { 'Upload-Checksum': writeCrc32(body) }),
          ...(lengthBytes !== undefined && { 'Upload-Length': lengthBytes }),
        },
        body,
        ...(onSent && { onSent }),
      }),
    async terminate(path) {
      const response = await send({ method: 'DELETE', path, headers: version })
      if (response.status !== 204 && response.status !== 404) throw await refusalOf(response)
      await discard(response)
    },
  }
}

function namesOf(path: string): Record<string, string> {
  const filename = path.slice(path.lastIndexOf('/') + 1)
  return { filename, ...(filename !== path && { relativePath: path }) }
}

function encodeMetadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** At the site as we reach it, which may be configured to call itself something else. */
function pathOf(location: string, address: string): string {
  const { pathname, search } = new URL(location, `${address}/`)
  return pathname + search
}
