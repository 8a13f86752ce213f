import {
  MOST_FILE_BYTES,
  TUS_CHECKSUM_ALGORITHMS,
  TUS_VERSION,
  type UploadMetadata,
  uploadMetadataSchema,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { validate } from '@floe/http'
import type { Request, Response } from 'express'
import type { ExpectedChecksum } from '../../domain/checksum.ts'
import { requirePlainBody } from '../require-plain-body.ts'

/** Every response carries the version, and none may be cached (an old offset corrupts nothing, but misleads). */
export function setTusHeaders(res: Response): void {
  res.set('Tus-Resumable', TUS_VERSION).set('Cache-Control', 'no-store')
}

/** Whatever has headers, by any spelling of their names. */
interface Headed {
  get(name: string): string | undefined
}

/** tus 1.0: a request with a missing or unknown version gets 412 and the versions we speak. */
export function requireTusVersion(req: Request, res: Response): void {
  if (req.get('Tus-Resumable') === TUS_VERSION) return
  res.set('Tus-Version', TUS_VERSION)
  throw new AppError('tus_version_unsupported')
}

/** A count of bytes from a header: absent is null, anything but digits is refused. */
export function readByteCount(req: Headed, name: string): number | null {
  const text = req.get(name)
  if (text === undefined) return null
  if (!/^\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text))) {
    throw new AppError('validation_failed', { issues: [`${name}: must be a number of bytes`] })
  }
  return Number(text)
}

/** `Upload-Length`; fails with share_too_large for what no storage could hold. */
export function readUploadLength(req: Headed): number | null {
  const lengthBytes = readByteCount(req, 'Upload-Length')
  if ((lengthBytes ?? 0) > MOST_FILE_BYTES) throw new AppError('share_too_large')
  return lengthBytes
}

export function requireContentType(req: Request): void {
  const type = (req.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/offset+octet-stream') throw new AppError('unsupported_media_type')
  requirePlainBody(req)
}

/** `Upload-Checksum: <algorithm> <base64>` (tus checksum extension). */
export function readChecksum(req: Headed): ExpectedChecksum | null {
  const text = req.get('Upload-Checksum')
  if (text === undefined) return null
  const [algorithm = '', encoded = '', ...rest] = text.trim().split(/ +/)
  const known = TUS_CHECKSUM_ALGORITHMS.find((name) => name === algorithm.toLowerCase())
  if (!known) throw new AppError('upload_checksum_unsupported')
  if (rest.length > 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) {
    throw new AppError('validation_failed', { issues: ['Upload-Checksum: is not base64'] })
  }
  return { algorithm: known, digest: Buffer.from(encoded, 'base64') }
}

export type Concatenation = { kind: 'partial' } | { kind: 'final'; uploadIds: string[] } | null

/** `Upload-Concat: partial` or `final;<url> <url> …` (tus concatenation extension). */
export function readConcatenation(req: Headed): Concatenation {
  const text = req.get('Upload-Concat')?.trim()
  if (text === undefined) return null
  if (text === 'partial') return { kind: 'partial' }
  const uploadIds = /^final; *(.+)$/
    .exec(text)?.[1]
    ?.split(/ +/)
    .map((url) => /\/api\/uploads\/([A-Za-z0-9_-]{1,100})$/.exec(url.split('?')[0] ?? '')?.[1])
  if (!uploadIds || uploadIds.length > 10_000) return refuseConcatenation()
  return {
    kind: 'final',
    uploadIds: uploadIds.map((id) => (id === undefined ? refuseConcatenation() : id)),
  }
}

function refuseConcatenation(): never {
  throw new AppError('validation_failed', { issues: ['Upload-Concat: is not valid'] })
}

/** `Upload-Metadata`: comma-separated pairs of a key and a base64 value. */
export function decodeMetadata(text: string | undefined): Record<string, string> {
  const metadata: Record<string, string> = {}
  for (const pair of (text ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [key = '', value = '', ...rest] = pair.trim().split(' ')
    if (rest.length > 0 || Object.hasOwn(metadata, key) || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
      throw new AppError('validation_failed', { issues: ['Upload-Metadata: is not valid'] })
    }
    Object.defineProperty(metadata, key, {
      value: decodeUtf8(value),
      enumerable: true,
    })
  }
  return metadata
}

function decodeUtf8(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'base64'))
  } catch (cause) {
    throw new AppError('validation_failed', {
      cause,
      issues: ['Upload-Metadata: values must be UTF-8'],
    })
  }
}

export function readMetadata(req: Request): UploadMetadata {
  return validate(uploadMetadataSchema, decodeMetadata(req.get('Upload-Metadata')))
}
