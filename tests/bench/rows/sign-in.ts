import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '../bench.ts'
import type { HashProbeResult } from '../client/hash-probe.ts'
import { sourceNodeArgs } from '../harness/node-args.ts'
import { runCommand } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'

async function measureHash({ rounds }: Bench): Promise<Line[]> {
  const script = fileURLToPath(new URL('../client/hash-probe.ts', import.meta.url))
  const results: HashProbeResult[] = []
  for (let run = 0; run < rounds * 3; run++) {
    const output = await runCommand(process.execPath, [...sourceNodeArgs, script])
    results.push(JSON.parse(output) as HashProbeResult)
  }
  return [
    limitLine({
      what: 'Sign-in hash, Argon2id, 19 MiB, t=2',
      values: results.map(({ hashMs }) => hashMs),
      unit: 'ms',
      digits: 1,
      atMost: 20,
    }),
    limitLine({
      what: 'Sign-in hash: longest stall of the event loop in 20 hashes',
      values: results.map(({ stallMs }) => stallMs),
      unit: 'ms',
      digits: 1,
      references: [{ name: 'idle', values: results.map(({ idleStallMs }) => idleStallMs) }],
      atMost: 10,
    }),
  ]
}

export const signInRow: Row = { name: 'sign-in', measure: measureHash }
