import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { RunningFloe } from '@floe/testing'
import type { Page } from 'playwright-core'

/**
 * What a killed server may lose at most: what it writes to a file at once; of a bucket, two parts on
 * their way and the one that is being gathered.
 */
const BATCH_BYTES = { embedded: 4 * 1024 * 1024, split: 3 * 8 * 1024 * 1024 }

/** Connections from the browser to the process that stores: two of each service are met by spreaders. */
const CONNECTIONS = { embedded: 1, split: 4 }

/** Headers of all requests together, and the page itself. */
const OTHER_TRAFFIC_BYTES = 1024 * 1024

/**
 * Bytes that everything this browser sent adds up to, from the log of its sockets. Unlike what the
 * page reports, that counts what went into a connection that died.
 */
export async function countSentBytes(networkLog: string): Promise<number> {
  const lines = createInterface({ input: createReadStream(networkLog) })
  let type: string | null = null
  let sum = 0
  for await (const line of lines) {
    type ??= /"SOCKET_BYTES_SENT":(\d+)/.exec(line)?.[1] ?? null
    if (type === null || !new RegExp(`"type":${type}[,}]`).test(line)) continue
    sum += Number(/"byte_count":(\d+)/.exec(line)?.[1] ?? 0)
  }
  if (type === null) throw new Error(`${networkLog} does not say which event means bytes sent`)
  return sum
}

/** The most bytes that one cut may cost: a batch, and what the two ends of connections hold. */
export async function allowedRepeat({ arrangement }: Pick<RunningFloe, 'arrangement'>) {
  const [sending, receiving] = await Promise.all(['wmem', 'rmem'].map(largestBuffer))
  const heldBytes = CONNECTIONS[arrangement] * ((sending ?? 0) + (receiving ?? 0))
  return BATCH_BYTES[arrangement] + heldBytes + OTHER_TRAFFIC_BYTES
}

async function largestBuffer(name: string): Promise<number> {
  const text = await readFile(`/proc/sys/net/ipv4/tcp_${name}`, 'utf8')
  return Number(text.trim().split(/\s+/)[2])
}

/** The offsets from which the page goes on sending, in order. */
export function recordOffsets(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return offsets
}
