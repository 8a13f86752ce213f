import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/** Sends a file as it is made. A failure before its first piece still becomes an error response. */
export async function sendPieces(
  res: Response,
  { pieces, name, type }: { pieces: AsyncGenerator<string>; name: string; type: string },
): Promise<void> {
  const { value: head } = await pieces.next()
  res.set({ 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` })
  res.write(head)
  await pipeline(Readable.from(pieces), res).catch((error: unknown) => {
    // A client that left half-way does not want the rest.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
