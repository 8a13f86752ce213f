import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressHeaders, ByteBudget, ObjectReader, ReadSpan } from '@floe/storage'
import { isAppError } from '@floe/errors'
import type { TransferMeter } from '../../transfers/domain/transfer-meter.ts'
import { planDownload, unsatisfiableRangeHeaders, type Representation } from './plan-download.ts'
import { sendBytes, type SentBytes } from './send-bytes.ts'

export interface SendDownloadOptions {
  req: Pick<IncomingMessage, 'method' | 'headers'>
  res: ServerResponse
  representation: Representation
  /** The client asked to see the file in the browser instead of saving it. */
  preview: boolean
  /** Called only if bytes are needed, before the head is sent, so that it may still fail. */
  openSource: (span: ReadSpan) => Promise<ObjectReader>
  /** Told once content, if only of no bytes, is about to be sent; not where none is asked for. */
  onBegin?: (span: ReadSpan) => void
  /** Where the whole can be had without us; the client is sent there if it can follow. */
  publicAddress?: ((headers: AddressHeaders) => Promise<string>) | undefined
  /** By which the proxy in front sends the whole, or a range of it, under the headers we give it. */
  sendfileHeader?: (() => Record<string, string>) | undefined
  budget: ByteBudget
  meter?: TransferMeter
  signal?: AbortSignal
  stallTimeoutMs?: number
}

/**
 * Responds to one GET or HEAD for content. Resolves to what was sent, null if the response has no body or
 * tells where to get it, a client or the proxy in front.
 * Fails with `range_not_satisfiable`, its headers already set, or with what `openSource` throws;
 * after the head has left, a failure destroys the response.
 */
export async function sendDownload(options: SendDownloadOptions): Promise<SentBytes | null> {
  const { req, res, representation, openSource, onBegin } = options
  const { status, headers, span } = planOrExplain(options)
  if (span === null) {
    res.writeHead(status, headers).end()
    return null
  }
  if (span.start === span.end) {
    onBegin?.(span)
    res.writeHead(status, headers).end()
    return { isComplete: true, sentBytes: 0 }
  }
  const address = mayFollow(req, options)
    ? await options.publicAddress?.(addressHeaders(headers))
    : undefined
  if (address !== undefined) {
    onBegin?.(span)
    res.writeHead(302, { ...redirectHeaders, Location: address }).end()
    return null
  }
  const sendfile = mayLeaveToProxy(options) ? options.sendfileHeader?.() : undefined
  if (sendfile !== undefined) {
    onBegin?.(span)
    res.writeHead(200, { ...withoutFraming(headers), ...sendfile, 'Content-Length': '0' }).end()
    return null
  }
  const source = await openSource(span)
  try {
    onBegin?.(span)
    res.writeHead(status, headers)
    return await sendBytes({ ...options, ...span, source })
  } finally {
    await source.close()
  }

  function planOrExplain({ preview }: SendDownloadOptions) {
    try {
      const request = { method: req.method ?? 'GET', headers: req.headers }
      return planDownload(request, representation, { preview })
    } catch (error) {
      if (isAppError(error, 'range_not_satisfiable')) {
        const headers = unsatisfiableRangeHeaders(representation.sizeBytes)
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      }
      throw error
    }
  }
}

/** The address opens the file for everybody who has it: no cache may keep it, and no referrer tell it. */
const redirectHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Content-Length': '0',
}

/**
 * Clients send `Range` again where they are sent, and resume there. A script must not read from
 * another origin. What `If-Range` holds is our tag or that of an earlier address, which the storage
 * would not know.
 */
function mayFollow({ headers }: SendDownloadOptions['req'], { preview }: SendDownloadOptions) {
  const isRead = ['cors', 'same-origin'].includes(String(headers['sec-fetch-mode']))
  return !preview && !isRead && headers['if-range'] === undefined
}

/**
 * The proxy compares conditions with what it knows of the file, which is not what we told. Of what
 * is shown in the browser, the policy is not left to the proxy's configuration either: nginx drops
 * it unless told to keep it.
 */
function mayLeaveToProxy({ req: { headers }, preview }: SendDownloadOptions): boolean {
  return !preview && !conditions.some((name) => headers[name] !== undefined)
}

const conditions = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
]

/** What describes the bytes of one response is for those who send them to say. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  const framing = ['Content-Length', 'Content-Range', 'Accept-Ranges']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.includes(name)))
}

function addressHeaders(headers: Record<string, string>): AddressHeaders {
  return {
    contentType: headers['Content-Type'] ?? 'application/octet-stream',
    contentDisposition: headers['Content-Disposition'] ?? 'attachment',
  }
}
