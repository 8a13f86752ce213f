import {
  ERROR_CODE_HEADER,
  MOST_FILE_BYTES,
  RESUMABLE_INTEROP_VERSION,
  RESUMABLE_PROBLEM_TYPES,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Request, Response } from 'express'
import { UPLOAD_LIFETIME_MS } from '../../domain/upload.ts'
import { readBodyLength } from '../direct-share-request.ts'

/**
 * The header by which a request says that it may be continued, and whether its body is the end
 * (draft-ietf-httpbis-resumable-upload). Values that are not of its type are as if absent, like
 * those of the other fields of the draft.
 */
const COMPLETE_HEADER = 'Upload-Complete'
export const PARTIAL_UPLOAD_TYPE = 'application/partial-upload'

export function asksToBeResumable(req: Request): boolean {
  return readBoolean(req) !== null
}

/** What a request says of its body, and of the upload that it belongs to. */
export interface UploadHeaders {
  /** Its body is the end of the upload. */
  isLast: boolean
  /** Null where neither request nor earlier ones say. */
  lengthBytes: number | null
  /** Null when the request does not say. */
  bodyBytes: number | null
}

/**
 * Of a body that begins at the offset. Fails with validation_failed, share_too_large,
 * upload_length_conflict.
 */
export function readUploadHeaders(req: Request, offsetBytes: number): UploadHeaders {
  const isLast = readBoolean(req)
  if (isLast === null) {
    throw new AppError('validation_failed', { issues: [`${COMPLETE_HEADER}: must be ?0 or ?1`] })
  }
  const declared = readInteger(req, 'Upload-Length')
  if ((declared ?? 0) > MOST_FILE_BYTES) throw new AppError('share_too_large')
  const bodyBytes = readBodyLength(req)
  const implied = isLast && bodyBytes !== null ? offsetBytes + bodyBytes : null
  if (declared !== null && implied !== null && declared !== implied) {
    throw new AppError('upload_length_conflict')
  }
  return { isLast, lengthBytes: declared ?? implied, bodyBytes }
}

export function readOffset(req: Request): number {
  const offsetBytes = readInteger(req, 'Upload-Offset')
  if (offsetBytes === null) {
    throw new AppError('validation_failed', {
      issues: ['Upload-Offset: must be a number of bytes'],
    })
  }
  return offsetBytes
}

/** A boolean of structured fields (RFC 9651 §3.3.6), whose parameters say nothing here. */
function readBoolean(req: Request): boolean | null {
  const value = /^ *\?([01]) *(?:;.*)?$/.exec(req.get(COMPLETE_HEADER) ?? '')?.[1]
  return value === undefined ? null : value === '1'
}

/** An integer that is not negative (RFC 9651 §3.3.1). */
function readInteger(req: Request, name: string): number | null {
  const value = /^ *(\d{1,15}) *(?:;.*)?$/.exec(req.get(name) ?? '')?.[1]
  return value === undefined ? null : Number(value)
}

/** tus-js-client takes an offset at the length for the end, and sends nothing more. */
export function takesLengthForEnd(req: Request): boolean {
  return req.get('Upload-Draft-Interop-Version') === '6'
}

/** How far an upload is. */
export function setProgress(
  res: Response,
  { offsetBytes, isComplete }: { offsetBytes: number; isComplete: boolean },
): void {
  res
    .set('Upload-Offset', String(offsetBytes))
    .set(COMPLETE_HEADER, isComplete ? '?1' : '?0')
    .set('Cache-Control', 'no-store')
}

/** What an upload may be; 0 bytes is no limit. A dictionary of structured fields. */
export function describeLimits(maxSizeBytes: number): string {
  const maxAge = `max-age=${UPLOAD_LIFETIME_MS / 1000}`
  return maxSizeBytes > 0 ? `max-size=${maxSizeBytes}, ${maxAge}` : maxAge
}

/**
 * Tells clients of the version that knows it where the upload goes on, before its body is read.
 * Node has no method for 104; an interim response is bytes ahead of the response, which only the
 * one whose turn it is on its connection may write.
 */
export function tellResumption(
  req: Request,
  res: Response,
  { location, limits }: { location: string; limits: string },
): void {
  if (req.get('Upload-Draft-Interop-Version') !== RESUMABLE_INTEROP_VERSION) return
  res.socket?.write(
    [
      'HTTP/1.1 104 Upload Resumption Supported',
      `Upload-Draft-Interop-Version: ${RESUMABLE_INTEROP_VERSION}`,
      `Location: ${location}`,
      `Upload-Limit: ${limits}`,
      '\r\n',
    ].join('\r\n'),
  )
}

interface Problem {
  error: AppError
  status: number
  /** As the draft registers it. */
  type: 'mismatching-upload-offset' | 'completed-upload' | 'inconsistent-upload-length'
  title: string
  members?: AppError['members']
}

/** A refusal as problem details (RFC 9457), with the stable code in its header. */
export function sendProblem(res: Response, { error, status, type, title, members }: Problem): void {
  const { code } = error
  const problem = { type: `${RESUMABLE_PROBLEM_TYPES}${type}`, title, status, code, ...members }
  res.status(status).set(ERROR_CODE_HEADER, code).type('application/problem+json')
  res.send(JSON.stringify(problem))
}
