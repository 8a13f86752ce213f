import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Free ports of 127.0.0.1, all different. They lie below those that systems give to outgoing
 * connections: a process that is started again finds its port as it left it.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) found.add(port)
  }
  return [...found]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
