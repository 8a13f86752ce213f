import {
  isUnsatisfiable,
  planDownload,
  type Representation,
  unsatisfiableRangeHeaders,
} from '@floe/downloads'
import type { OpenedFile } from '@floe/encryption'
import { readPatiently, type Span, toStream } from './patient-read.ts'
import { createReadStored } from './read-stored.ts'

/** The response of a server that had the file itself. */
export function respondWithFile(
  request: Request,
  { shareId, file, isShown }: { shareId: string; file: OpenedFile; isShown: boolean },
): Response {
  const { name, size, sha256, modified = 0 } = file
  const representation = {
    filename: name,
    sizeBytes: size,
    sha256,
    etag: `"${sha256}"`,
    lastModifiedAt: new Date(modified),
  }
  const through = createReadStored(shareId, !isShown)
  const read = (span: Span) => file.read(span, through)
  return respond(request, representation, {
    isShown,
    open: (span) => toStream((signal) => readPatiently(read, span, signal)),
  })
}

export interface Content {
  /** In the browser, instead of being saved. */
  isShown: boolean
  open(span: Span): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** By the rules of the server, RFC 9110 and what may be shown at all. */
export function respond(
  { method, headers }: Request,
  representation: Representation,
  { isShown, open }: Content,
): Response {
  try {
    const asked = { method, headers: Object.fromEntries(headers) }
    const plan = planDownload(asked, representation, { preview: isShown })
    const body = plan.span === null ? null : open(plan.span)
    return new Response(body, { status: plan.status, headers: plan.headers })
  } catch (error) {
    if (!isUnsatisfiable(error)) throw error
    return new Response(null, {
      status: 416,
      headers: unsatisfiableRangeHeaders(representation.sizeBytes),
    })
  }
}
