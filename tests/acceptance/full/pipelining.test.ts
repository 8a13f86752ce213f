import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const CONNECTIONS = 16
const REQUESTS = 1_200
/** Responses that a connection may owe. */
const MOST_OWED = 16
const MB = 1_000_000

const path = '/api/docs/openapi.json'
const requests = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(REQUESTS)

// Its memory is measured: a Floe of its own.
let floe: RunningFloe
let output = ''
beforeAll(async () => {
  floe = await startFloe({
    arrangement: 'embedded',
    environment: { LOG_LEVEL: 'info' },
    onOutput: (chunk) => (output += chunk.toString()),
  })
})
afterAll(() => floe?.stop())

function residentBytes(): number {
  const status = readFileSync(`/proc/${floe.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

function linesOf(route: string): string[] {
  return output.split('\n').filter((line) => line.includes(`"route":"${route}"`))
}

/** Asks for all of it at once, and reads nothing. */
async function askAndIgnore(): Promise<Socket> {
  const socket = connect(Number(new URL(floe.url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  socket.write(requests)
  return socket
}

test('pipelined requests whose responses nobody reads cost little, and nothing once they are gone', async () => {
  for (let turn = 0; turn < 50; turn += 1) await (await fetch(floe.url + path)).arrayBuffer()
  const before = residentBytes()
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, askAndIgnore))
  /** Memory is given back by a process that works. */
  const residentAfterRequest = async () => {
    await (await fetch(`${floe.url}/api/health`)).text()
    return residentBytes()
  }
  let most = 0
  for (let turn = 0; turn < 200; turn += 1) {
    most = Math.max(most, await residentAfterRequest())
  }
  expect(most - before).toBeLessThan(CONNECTIONS * 8 * MB)
  for (const socket of sockets) socket.destroy()
  // Seconds on a quiet machine; a busy one collects later.
  await expect
    .poll(async () => (await residentAfterRequest()) - before, { timeout: 60_000, interval: 50 })
    .toBeLessThan(40 * MB)
  const aborted = () => linesOf('/api/docs/*').filter((line) => line.includes('"aborted":true'))
  await expect
    .poll(() => aborted().length, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(CONNECTIONS * (MOST_OWED - 1))
})
