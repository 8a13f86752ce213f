import { isAppError } from '@floe/errors'
import { contentDisposition } from './content-disposition.ts'
import { safeContentType, type ContentType } from './content-type.ts'
import {
  evaluatePreconditions,
  mayContinueRange,
  type RequestHeaders,
  type Validators,
} from './preconditions.ts'
import { parseRange, type ByteSpan } from './range.ts'

/** Everything about a file or an archive that its headers tell. */
export interface Representation extends Validators {
  filename: string
  sizeBytes: number
  /** SHA-256 of the whole; 64 hexadecimal characters, null while unknown. */
  sha256: string | null
  /** Where the name does not tell it. */
  contentType?: string
}

export interface DownloadRequest {
  method: string
  headers: RequestHeaders
}

export interface DownloadPlan {
  status: 200 | 206 | 304 | 412
  headers: Record<string, string>
  /** What the body consists of; null if there is none. */
  span: ByteSpan | null
}

const noSource = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * Content of users never runs as the site. `sandbox` takes its origin away. Two viewers go
 * without: not every Chromium starts its PDF viewer in a sandbox, and a media document in one
 * asks for its own bytes without the visitor's cookies. Policy and type still keep scripts out.
 */
const policies: Record<ContentType['viewer'], string> = {
  sandboxed: `sandbox; ${noSource}; style-src 'unsafe-inline'; img-src 'self' data:`,
  media: `${noSource}; style-src 'unsafe-inline'; media-src 'self'`,
  pdf: `${noSource}; style-src 'unsafe-inline'; object-src 'self'`,
}

/**
 * Decides status, headers and bytes of a download without touching storage. `preview` asks to
 * show the file in the browser, which only safe types may.
 * Fails with `range_not_satisfiable`; the response must then carry `unsatisfiableRangeHeaders`.
 */
export function planDownload(
  { method, headers }: DownloadRequest,
  representation: Representation,
  { preview }: { preview: boolean },
): DownloadPlan {
  const precondition = evaluatePreconditions(headers, representation)
  if (precondition === 'failed') {
    return { status: 412, headers: { 'Content-Length': '0' }, span: null }
  }
  const validators = validatorHeaders(representation)
  if (precondition === 'not_modified') return { status: 304, headers: validators, span: null }

  const { sizeBytes } = representation
  const requested = requestedSpan({ method, headers }, representation)
  const span = requested ?? { start: 0, end: sizeBytes }
  return {
    status: requested === null ? 200 : 206,
    headers: {
      ...validators,
      ...contentHeaders(representation, preview),
      'Accept-Ranges': 'bytes',
      'Content-Length': String(span.end - span.start),
      ...(requested === null
        ? {}
        : { 'Content-Range': `bytes ${span.start}-${span.end - 1}/${sizeBytes}` }),
    },
    span: method === 'HEAD' ? null : span,
  }
}

/** Whether `planDownload` failed because nothing of the content is in the range. */
export function isUnsatisfiable(error: unknown): boolean {
  return isAppError(error, 'range_not_satisfiable')
}

export function unsatisfiableRangeHeaders(sizeBytes: number): Record<string, string> {
  return { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes */${sizeBytes}` }
}

/** RFC 9110 §14.2 defines `Range` for GET alone. */
function requestedSpan(
  { method, headers }: DownloadRequest,
  representation: Representation,
): ByteSpan | null {
  const { range } = headers
  if (method !== 'GET' || typeof range !== 'string') return null
  if (!mayContinueRange(headers, representation)) return null
  return parseRange(range, representation.sizeBytes)
}

function validatorHeaders({ etag, lastModifiedAt }: Validators): Record<string, string> {
  return {
    'Cache-Control': 'private, no-cache',
    ETag: etag,
    'Last-Modified': lastModifiedAt.toUTCString(),
  }
}

function contentHeaders(
  { filename, sha256, contentType }: Representation,
  preview: boolean,
): Record<string, string> {
  const { type, inlineType, viewer } = safeContentType(filename)
  const shown = preview && inlineType !== null
  return {
    'Content-Type': shown ? inlineType : (contentType ?? type),
    'Content-Disposition': contentDisposition(shown ? 'inline' : 'attachment', filename),
    'Content-Security-Policy': policies[shown ? viewer : 'sandboxed'],
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(sha256 === null ? {} : { 'Repr-Digest': `sha-256=:${hexToBase64(sha256)}:` }),
  }
}

function hexToBase64(hex: string): string {
  const bytes = hex.match(/../g)?.map((digits) => Number.parseInt(digits, 16)) ?? []
  return btoa(String.fromCharCode(...bytes))
}
