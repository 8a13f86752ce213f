import type { IncomingMessage } from 'node:http'

const LINGER_MS = 10_000
const LINGER_BYTES = 64 * 1024 * 1024

/**
 * Reads and drops what is left of a body whose request has its response: closing at once would
 * reset the connection, which could erase the response before the client has read it, and a browser
 * then tries again for ever (RFC 9112 §9.6). A sender that goes on for too long, or sends too much,
 * is cut off. Resolves once the body has ended or the connection is closed.
 */
export function discardBody(req: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
  const { socket } = req
  return new Promise((resolve) => {
    if (req.readableEnded || socket.destroyed) return resolve()
    let bytes = 0
    const cut = () => socket.destroy()
    const timer = setTimeout(cut, lingerMs)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > LINGER_BYTES) cut()
    }
    const finish = () => {
      clearTimeout(timer)
      req.off('data', count).off('end', finish)
      socket.off('close', finish)
      resolve()
    }
    req.on('data', count).once('end', finish)
    socket.once('close', finish)
    req.resume()
  })
}
