import type { RequestLimit } from '@floe/contracts'
import { NetworkError, refusedByProxy } from '../failures.ts'
import { discard, isRefusedByProxy, refusalOf } from '../http-client.ts'
import { createPatience, type OnWait, persist } from './patience.ts'
import type { Tus } from './tus.ts'

/** What is kept of a pipe until the server has it: a connection may be lost, a pipe is read once. */
const PIECE_BYTES = 16 * 2 ** 20

export interface SendPipeOptions {
  tus: Tus
  limit: RequestLimit
  shareId: string
  name: string
  source: AsyncIterable<Uint8Array>
  onSent: (bytes: number) => void
  onWait: OnWait
}

/** Sends what comes, of any length. Returns how long it was. */
export async function sendPipe(options: SendPipeOptions): Promise<number> {
  const { tus, shareId, name, source } = options
  const path = await persist(
    () => tus.create({ shareId, name, sizeBytes: null }),
    createPatience(options),
  )
  const pieces = inPieces(source, PIECE_BYTES)
  let offset = 0
  let next = await pieces.next()
  while (!next.done) {
    const piece = next.value
    // The next one is read while this one is sent.
    const [end, following] = await Promise.all([
      appendPiece(options, { path, offset, piece }),
      pieces.next(),
    ])
    offset = end
    next = following
  }
  await close(options, { path, lengthBytes: offset })
  return offset
}

/** Until all of it is there. Returns where it ends. */
async function appendPiece(
  { tus, limit, onSent, onWait }: SendPipeOptions,
  { path, offset: start, piece }: { path: string; offset: number; piece: Buffer },
): Promise<number> {
  const patience = createPatience({ onWait })
  const end = start + piece.length
  let offset = start
  while (offset < end) {
    const body = piece.subarray(offset - start, offset - start + limit.bytes())
    let next = offset
    try {
      const response = await tus.append(path, { offset, sizeBytes: body.length, body })
      if (response.status === 204) next = offset + body.length
      else if (!isRefusedByProxy(response)) throw await refusalOf(response)
      else if (!limit.refused(body.length)) throw refusedByProxy()
      await discard(response)
    } catch (error) {
      await patience.afterFailure(error)
      if (error instanceof NetworkError) limit.lost(body.length)
      next = (await persist(() => tus.inspect(path), patience)).offset
    }
    if (next > offset) patience.progressed()
    onSent(next - offset)
    offset = next
  }
  return end
}

/** Says how long it is, and that it ends here. */
async function close(
  { tus, onWait }: SendPipeOptions,
  { path, lengthBytes }: { path: string; lengthBytes: number },
): Promise<void> {
  await persist(async () => {
    const body = Buffer.alloc(0)
    const response = await tus.append(path, {
      offset: lengthBytes,
      sizeBytes: 0,
      body,
      lengthBytes,
    })
    if (response.status !== 204) throw await refusalOf(response)
    await discard(response)
  }, createPatience({ onWait }))
}

async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Buffer, undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    parts.push(chunk)
    size += chunk.length
    if (size < bytes) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(parts)
  return undefined
}
