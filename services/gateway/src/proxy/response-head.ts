import { connectionOptions, type ResponseHead } from '@floe/transfer'
import type { Response } from 'express'
import { HOP_BY_HOP_HEADERS } from '../edge/forwarding.ts'

/** A response's head as a service sent it: names in its spelling, repeated headers included. */
export type UpstreamHead = Pick<ResponseHead, 'status' | 'reason' | 'headers'>

/** Puts the head of a service's response on the client's response. */
export function applyHead(res: Response, head: UpstreamHead): void {
  res.statusCode = head.status
  res.statusMessage = head.reason
  for (const [name, values] of endToEndHeaders(head)) {
    res.setHeader(name, values.length === 1 ? (values[0] ?? '') : values)
  }
}

/**
 * Passes on that an upload can be resumed, before its response (draft-ietf-httpbis-resumable-upload).
 * Node has no method for 104, so its bytes are written ahead of the response, by the one whose turn
 * it is on its connection.
 */
export function writeInterim(res: Response, head: UpstreamHead): void {
  if (head.status !== 104 || res.headersSent) return
  const lines = [`HTTP/1.1 ${head.status} ${head.reason}`]
  for (const [name, values] of endToEndHeaders(head)) {
    for (const value of values) lines.push(`${name}: ${value}`)
  }
  res.socket?.write([...lines, '\r\n'].join('\r\n'), 'latin1')
}

function endToEndHeaders({ status, headers }: UpstreamHead): Iterable<[string, string[]]> {
  const privateNames = connectionOptions(headers)
  const grouped = new Map<string, [name: string, values: string[]]>()
  for (const [name, value] of headers) {
    const lowerName = name.toLowerCase()
    // The gateway's server writes its own Date.
    if (lowerName === 'date' || (lowerName === 'content-length' && status === 204)) continue
    if (HOP_BY_HOP_HEADERS.has(lowerName) || privateNames.has(lowerName)) continue
    const group = grouped.get(lowerName)
    if (group) group[1].push(value)
    else grouped.set(lowerName, [name, [value]])
  }
  return grouped.values()
}
