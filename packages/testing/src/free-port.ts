import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that nobody listens on. It lies below those that systems give to outgoing
 * connections: it stays free while nobody asks for it, and for a server that starts again.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    if (await isPortFree(port)) return port
  }
}

/** So many in a row. */
export async function findFreePorts(count: number): Promise<number[]> {
  for (;;) {
    const first = randomInt(20_000, 30_000)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const free = await Promise.all(ports.map(isPortFree))
    if (free.every((one) => one)) return ports
  }
}

/** Whether nobody listens on this port of 127.0.0.1 right now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
