import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  isUnsatisfiable,
  planDownload,
  type Representation,
  unsatisfiableRangeHeaders,
} from '@floe/downloads'
import type { HandOff, HandOffHeaders, ObjectReader, ReadSpan } from '@floe/storage'
import { sendBytes, type SentBytes, type TransferMemory } from '@floe/transfer'
import { type TransferMeter, unmetered } from '../../transfers/domain/transfer-meter.ts'

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
  /** How the whole, or a range of it, reaches the client without us; used where this request allows. */
  handOff?: (headers: HandOffHeaders) => Promise<HandOff | null>
  memory: TransferMemory
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
  const { req, res, representation, openSource, onBegin, meter = unmetered } = options
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
  const elsewhere = options.preview ? null : await handOff(options, headers)
  if (elsewhere !== null) {
    onBegin?.(span)
    res.writeHead(elsewhere.status, elsewhere.headers).end()
    return null
  }
  const source = await openSource(span)
  const transfer = meter.transferBegins('download')
  try {
    onBegin?.(span)
    res.writeHead(status, headers)
    return await sendBytes({ ...options, ...span, source, onSent: transfer.moved })
  } finally {
    transfer.end()
    await source.close()
  }

  function planOrExplain({ preview }: SendDownloadOptions) {
    try {
      const request = { method: req.method ?? 'GET', headers: req.headers }
      return planDownload(request, representation, { preview })
    } catch (error) {
      if (isUnsatisfiable(error)) {
        const headers = unsatisfiableRangeHeaders(representation.sizeBytes)
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
      }
      throw error
    }
  }
}

interface ResponseHead {
  status: number
  headers: Record<string, string>
}

/** The response that lets somebody else send the content; null where this request needs ours. */
async function handOff(
  { req, handOff: ask }: SendDownloadOptions,
  headers: Record<string, string>,
): Promise<ResponseHead | null> {
  const way = await ask?.(handOffHeaders(headers))
  if (way?.kind === 'redirect' && mayFollow(req)) {
    return { status: 302, headers: { ...redirectHeaders, Location: way.address } }
  }
  if (way?.kind === 'sendfile' && mayLeaveToProxy(req)) {
    const left = { ...withoutFraming(headers), ...way.headers, 'Content-Length': '0' }
    return { status: 200, headers: left }
  }
  return null
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
function mayFollow({ headers }: SendDownloadOptions['req']): boolean {
  const isRead = ['cors', 'same-origin'].includes(String(headers['sec-fetch-mode']))
  return !isRead && headers['if-range'] === undefined
}

/** The proxy compares conditions with what it knows of the file, which is not what we told. */
function mayLeaveToProxy({ headers }: SendDownloadOptions['req']): boolean {
  return !conditions.some((name) => headers[name] !== undefined)
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

/**
 * What is shown in the browser is never handed off: the policy that confines it is not left to the
 * configuration of others. nginx drops it unless told to keep it.
 */
function handOffHeaders(headers: Record<string, string>): HandOffHeaders {
  return {
    contentType: headers['Content-Type'] ?? 'application/octet-stream',
    contentDisposition: headers['Content-Disposition'] ?? 'attachment',
  }
}
