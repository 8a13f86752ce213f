import { discard, type HttpResponse, refusalOf } from '../http-client.ts'
import type { Visit } from './visit.ts'

/** Bytes from `start` up to and without `end`. */
export interface Range {
  start: number
  end: number
}

/**
 * The response to a request for a file, or for a part of it. Installations with S3 may send us to
 * the bucket, whose address has the permission in it.
 */
export async function fetchBytes(
  { server, headers }: Pick<Visit, 'server' | 'headers'>,
  path: string,
  range?: Range,
): Promise<HttpResponse> {
  const wanted = range && { Range: `bytes=${range.start}-${range.end - 1}` }
  const response = await server.send({ method: 'GET', path, headers: { ...headers, ...wanted } })
  const location = response.headers.get('location')
  if (response.status === 302 && location !== undefined) {
    await discard(response)
    const url = new URL(location, `${server.address}/`)
    return expectBytes(await server.fetchElsewhere(url, { ...wanted }), range)
  }
  return expectBytes(response, range)
}

async function expectBytes(
  response: HttpResponse,
  range: Range | undefined,
): Promise<HttpResponse> {
  const isWhole = range === undefined || range.start === 0
  if (response.status === 206 || (response.status === 200 && isWhole)) return response
  throw await refusalOf(response)
}

export function filePath(shareId: string, fileId: string): string {
  return `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`
}
