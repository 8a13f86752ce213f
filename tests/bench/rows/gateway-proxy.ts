import { readFileSync } from 'node:fs'
import type { Bench, Row } from '../bench.ts'
import { canStart, startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { filePaths, fillShare, signUp } from '../floe/session.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { createTransferLog, GiB, logTransfer, MiB } from '../harness/transfers.ts'
import { startNodeReference } from '../references/node-reference.ts'
import type { Reference } from '../references/reference.ts'

const title = "Gateway's streaming proxy, download"

/** Where the gateway finds the file service: what its own environment says. */
export function fileServiceUrl({ pid }: Floe): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  const url = variables.find((text) => text.startsWith('FILE_URL='))?.slice('FILE_URL='.length)
  if (url === undefined) throw new Error('the gateway has no FILE_URL')
  return url
}

/** Proxies of the same service, each with the least that our gateway has to win by. */
const references = [
  { program: 'http-proxy-middleware', name: 'http-proxy-middleware 4.2.2', atLeast: 2 },
  { program: 'undici', name: 'undici 7.30.2, dispatch', atLeast: 1.5 },
] as const

async function measureProxy(bench: Bench): Promise<Line[]> {
  if (!canStart('split'))
    return [missingLine(title, 'the split arrangement cannot be started here')]
  const { scratch, load, isQuick, rounds } = bench
  const sizeBytes = isQuick ? 64 * MiB : GiB
  const floe = await startFloe(scratch, { arrangement: 'split' })
  const proxies: Reference[] = []
  try {
    for (const { program, name } of references) {
      const environment = { TARGET: fileServiceUrl(floe) }
      proxies.push(await startNodeReference(scratch, program, name, environment))
    }
    const session = await signUp(floe)
    const shareId = await fillShare(session, load, [sizeBytes])
    const paths = await filePaths(session, shareId)
    const headers = [`Cookie: ${await session.openShare(shareId)}`]
    await waitUntilQuiet(floe)
    const contend = (name: string, { pid, port }: Pick<Floe, 'pid' | 'port'>) => {
      const log = createTransferLog(name)
      const read = (isVerified: boolean) =>
        load.read({ port, paths, sizeBytes, headers, isVerified })
      const run = () => logTransfer(log, { pid, payloadBytes: sizeBytes }, () => read(false))
      return { name, log, run, warmUp: () => read(true) }
    }
    const ours = contend('Floe', floe)
    const theirs = proxies.map((proxy) => contend(proxy.name, proxy))
    for (const { warmUp } of [ours, ...theirs]) await warmUp()
    await runRounds(rounds, [ours, ...theirs])
    return [
      ...theirs.map(({ name, log }, index) =>
        compareLine({
          what: `${title}, to ${name}`,
          ours: ours.log.mbPerSecond,
          theirs: { name, values: log.mbPerSecond },
          unit: 'MB/s',
          atLeast: references[index]?.atLeast ?? 1,
        }),
      ),
      limitLine({
        what: `${title}: CPU of the gateway`,
        values: ours.log.cpuSecondsPerGiB,
        unit: 's/GiB',
        digits: 2,
        references: theirs.map(({ name, log }) => ({ name, values: log.cpuSecondsPerGiB })),
        atMost: 0.45,
      }),
    ]
  } finally {
    for (const proxy of proxies) await proxy.stop()
    await floe.stop()
  }
}

export const gatewayProxyRow: Row = { name: 'gateway-proxy', measure: measureProxy }
