import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '../bench.ts'
import type { OpenLoopInput, OpenLoopResult } from '../client/open-loop.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { fillShare, signUp } from '../floe/session.ts'
import { sourceNodeArgs } from '../harness/node-args.ts'
import { runCommand } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'
import { startNginx } from '../references/nginx.ts'
import type { Reference } from '../references/reference.ts'

const REQUESTS_PER_SECOND = 200

async function sendReads(input: OpenLoopInput): Promise<OpenLoopResult> {
  const script = fileURLToPath(new URL('../client/open-loop.ts', import.meta.url))
  const args = [...sourceNodeArgs, script, JSON.stringify(input)]
  return JSON.parse(await runCommand(process.execPath, args)) as OpenLoopResult
}

/** The same questions to a server that has nothing to do: what machine and client add. */
async function sendReadsToNginx(
  { load }: Bench,
  { port }: Reference,
  seconds: number,
): Promise<OpenLoopResult> {
  await load.write({ port, method: 'PUT', paths: ['/response.json'], sizeBytes: 500 })
  const targets = [{ path: '/response.json', cookie: '' }]
  return sendReads({ port, targets, requestsPerSecond: REQUESTS_PER_SECOND, seconds })
}

async function measureReads(bench: Bench): Promise<Line[]> {
  const { scratch, load, isQuick, rounds } = bench
  const seconds = isQuick ? 2 : 10
  const nginx = await startNginx(scratch)
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
      { path: '/api/auth/sessions', cookie: owner.cookie },
    ]
    const input = { port: floe.port, targets, requestsPerSecond: REQUESTS_PER_SECOND }
    await waitUntilQuiet(floe)
    await sendReads({ ...input, seconds: 2 })
    const results: OpenLoopResult[] = []
    const floor: OpenLoopResult[] = []
    for (let run = 0; run < rounds; run++) {
      results.push(await sendReads({ ...input, seconds }))
      if (nginx) floor.push(await sendReadsToNginx(bench, nginx, seconds / 2))
    }
    const referencesOf = (value: (result: OpenLoopResult) => number) =>
      floor.length === 0 ? [] : [{ name: 'nginx, a static file', values: floor.map(value) }]
    const what = `API reads at ${REQUESTS_PER_SECOND} requests/s`
    return [
      limitLine({
        what: `${what}: p99`,
        values: results.map(({ p99Ms }) => p99Ms),
        unit: 'ms',
        digits: 1,
        references: referencesOf(({ p99Ms }) => p99Ms),
        atMost: 20,
      }),
      limitLine({
        what: `${what}: median`,
        values: results.map(({ medianMs }) => medianMs),
        unit: 'ms',
        digits: 1,
        references: referencesOf(({ medianMs }) => medianMs),
      }),
    ]
  } finally {
    await floe.stop()
    await nginx?.stop()
  }
}

export const apiReadsRow: Row = { name: 'api-reads', measure: measureReads }
