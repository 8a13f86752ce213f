import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench, Row } from '../bench.ts'
import { canStart, startFloe, type Arrangement, type Floe } from '../floe/floe.ts'
import { signUp } from '../floe/session.ts'
import { limitLine, missingLine, type Line } from '../harness/report.ts'
import { MiB } from '../harness/transfers.ts'

const SENT_BYTES = 5 * MiB + 12_345
const LENGTH_BYTES = 64 * MiB
const WATCHED_MS = 1_000

/** Sends the start of an upload, lets the server take it in, and resets the connection. */
async function resetMidUpload(port: number, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  socket.on('error', () => undefined)
  const head =
    `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTus-Resumable: 1.0.0\r\n` +
    'Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n' +
    `Content-Length: ${LENGTH_BYTES}\r\n\r\n`
  socket.write(head)
  await new Promise((resolve) => socket.write(Buffer.alloc(SENT_BYTES, 1), resolve))
  await delay(200)
  socket.resetAndDestroy()
}

async function readOffset(port: number, path: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { 'Tus-Resumable': '1.0.0' },
  })
  return response.ok ? Number(response.headers.get('upload-offset')) : Number.NaN
}

interface Recovery {
  /** Until the first response with the offset that every later response repeats. */
  rightAfterMs: number
  keptBytes: number
}

async function watchOffset(port: number, path: string): Promise<Recovery> {
  const startedAt = performance.now()
  const responses: { offset: number; atMs: number }[] = []
  do {
    const offset = await readOffset(port, path)
    responses.push({ offset, atMs: performance.now() - startedAt })
  } while (performance.now() - startedAt < WATCHED_MS)
  const keptBytes = responses.at(-1)?.offset ?? Number.NaN
  const lastWrong = responses.findLastIndex(({ offset }) => offset !== keptBytes)
  return { rightAfterMs: responses[lastWrong + 1]?.atMs ?? Number.NaN, keptBytes }
}

async function measureArrangement(floe: Floe, runs: number): Promise<Line> {
  const session = await signUp(floe)
  const shareId = await session.createShare()
  const recoveries: Recovery[] = []
  for (let run = 0; run <= runs; run++) {
    const path = await session.createUpload(shareId, `file-${run}.bin`, LENGTH_BYTES)
    await readOffset(floe.port, path)
    await resetMidUpload(floe.port, path)
    recoveries.push(await watchOffset(floe.port, path))
  }
  const kept = Math.min(...recoveries.map(({ keptBytes }) => keptBytes))
  const line = limitLine({
    what: `Right offset after a client reset mid-upload, ${floe.arrangement}`,
    // The first run warms the path up.
    values: recoveries.slice(1).map(({ rightAfterMs }) => rightAfterMs),
    unit: 'ms',
    digits: 1,
    atMost: 50,
  })
  const share = `${((kept / SENT_BYTES) * 100).toFixed(0)} % of the bytes received were kept`
  return { ...line, measured: `${line.measured}; ${share}` }
}

async function measureReset({ scratch, rounds }: Bench): Promise<Line[]> {
  const lines: Line[] = []
  for (const arrangement of ['embedded', 'split'] satisfies Arrangement[]) {
    if (!canStart(arrangement)) {
      const what = `Right offset after a client reset mid-upload, ${arrangement}`
      lines.push(missingLine(what, 'this arrangement cannot be started here'))
      continue
    }
    const floe = await startFloe(scratch, { arrangement })
    try {
      lines.push(await measureArrangement(floe, rounds))
    } finally {
      await floe.stop()
    }
  }
  return lines
}

export const resetRow: Row = { name: 'reset', measure: measureReset }
