import type { Request } from 'express'

const LINGER_MS = 10_000
const LINGER_BYTES = 64 * 1024 * 1024

/**
 * Lets a sender finish after an early answer. Closing at once would reset the connection, and a
 * browser that is still sending then never sees the status, and tries again for ever. Reads on
 * without keeping anything, for a bounded time and amount, so that a refused body costs little.
 */
export function discardRestOfBody(req: Request): void {
  if (req.readableEnded || req.destroyed) return
  let bytes = 0
  const timer = setTimeout(() => req.socket.destroy(), LINGER_MS)
  timer.unref()
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > LINGER_BYTES) req.socket.destroy()
  })
  req.on('close', () => clearTimeout(timer))
  req.on('end', () => clearTimeout(timer))
  req.on('error', () => clearTimeout(timer))
  req.resume()
}
