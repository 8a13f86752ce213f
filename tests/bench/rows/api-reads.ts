import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '../bench.ts'
import type { OpenLoopInput, OpenLoopResult } from '../client/open-loop.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { fillShare, signUp } from '../floe/session.ts'
import { sourceNodeArgs } from '../harness/node-args.ts'
import { runCommand } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'

const REQUESTS_PER_SECOND = 200

async function sendReads(input: OpenLoopInput): Promise<OpenLoopResult> {
  const script = fileURLToPath(new URL('../client/open-loop.ts', import.meta.url))
  const args = [...sourceNodeArgs, script, JSON.stringify(input)]
  return JSON.parse(await runCommand(process.execPath, args)) as OpenLoopResult
}

async function measureReads({ scratch, load, isQuick, rounds }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  try {
    const owner = await signUp(floe)
    const shareId = await fillShare(owner, load, [1000, 2000, 3000])
    const visitor = await owner.openShare(shareId)
    const targets = [
      { path: `/api/shares/${shareId}`, cookie: visitor },
      { path: '/api/users/me', cookie: owner.cookie },
      { path: '/api/configs', cookie: '' },
      { path: '/api/shares', cookie: owner.cookie },
      { path: `/api/shares/${shareId}/metaData`, cookie: visitor },
      { path: '/api/shares/isShareIdAvailable/somebody', cookie: owner.cookie },
    ]
    const input = { port: floe.port, targets, requestsPerSecond: REQUESTS_PER_SECOND }
    await waitUntilQuiet(floe)
    await sendReads({ ...input, seconds: 2 })
    const results: OpenLoopResult[] = []
    for (let run = 0; run < rounds; run++) {
      results.push(await sendReads({ ...input, seconds: isQuick ? 2 : 10 }))
    }
    const what = `API reads at ${REQUESTS_PER_SECOND} requests/s`
    return [
      limitLine({
        what: `${what}: p99`,
        values: results.map(({ p99Ms }) => p99Ms),
        unit: 'ms',
        digits: 1,
        atMost: 20,
      }),
      limitLine({
        what: `${what}: median`,
        values: results.map(({ medianMs }) => medianMs),
        unit: 'ms',
        digits: 1,
      }),
    ]
  } finally {
    await floe.stop()
  }
}

export const apiReadsRow: Row = { name: 'api-reads', measure: measureReads }
