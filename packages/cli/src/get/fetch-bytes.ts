import { discard, refusalOf, sendRequest, type Answer } from '../send-request.ts'
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
): Promise<Answer> {
  const wanted = range && { Range: `bytes=${range.start}-${range.end - 1}` }
  const answer = await server.send({ method: 'GET', path, headers: { ...headers, ...wanted } })
  const { location } = answer.headers
  if (answer.status === 302 && location !== undefined) {
    await discard(answer)
    const url = new URL(location, `${server.address}/`)
    return expectBytes(await sendRequest({ method: 'GET', url, headers: { ...wanted } }), range)
  }
  return expectBytes(answer, range)
}

async function expectBytes(answer: Answer, range: Range | undefined): Promise<Answer> {
  const isWhole = range === undefined || range.start === 0
  if (answer.status === 206 || (answer.status === 200 && isWhole)) return answer
  throw await refusalOf(answer)
}

export function filePath(shareId: string, fileId: string): string {
  return `/api/shares/${encodeURIComponent(shareId)}/files/${encodeURIComponent(fileId)}`
}
