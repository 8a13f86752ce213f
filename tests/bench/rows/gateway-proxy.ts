import { readFileSync } from 'node:fs'
import type { Bench, Row } from '../bench.ts'
import { canStart, startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { filePaths, fillShare, signUp } from '../floe/session.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { createTransferLog, GiB, logTransfer, MiB } from '../harness/transfers.ts'
import { startNodeReference } from '../references/node-reference.ts'

const title = "Gateway's streaming proxy, download, to http-proxy-middleware"

/** Where the gateway finds the file service: what its own environment says. */
export function fileServiceUrl({ pid }: Floe): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  const url = variables.find((text) => text.startsWith('FILE_URL='))?.slice('FILE_URL='.length)
  if (url === undefined) throw new Error('the gateway has no FILE_URL')
  return url
}

async function measureProxy(bench: Bench): Promise<Line[]> {
  if (!canStart('split'))
    return [missingLine(title, 'the split arrangement cannot be started here')]
  const { scratch, load, isQuick, rounds } = bench
  const sizeBytes = isQuick ? 64 * MiB : GiB
  const floe = await startFloe(scratch, { arrangement: 'split' })
  try {
    const proxy = await startNodeReference(
      scratch,
      'http-proxy-middleware',
      'http-proxy-middleware 4.2.2',
      { TARGET: fileServiceUrl(floe) },
    )
    try {
      const session = await signUp(floe)
      const shareId = await fillShare(session, load, [sizeBytes])
      const paths = await filePaths(session, shareId)
      const headers = [`Cookie: ${await session.openShare(shareId)}`]
      await waitUntilQuiet(floe)
      const contenders = [floe, proxy].map(({ pid, port }, index) => {
        const log = createTransferLog(index === 0 ? 'Floe' : proxy.name)
        const read = (isVerified: boolean) =>
          load.read({ port, paths, sizeBytes, headers, isVerified })
        const run = () => logTransfer(log, { pid, payloadBytes: sizeBytes }, () => read(false))
        return { name: log.name, log, run, warmUp: () => read(true) }
      })
      for (const { warmUp } of contenders) await warmUp()
      await runRounds(rounds, contenders)
      const [ours, theirs] = contenders.map(({ log }) => log)
      if (!ours || !theirs) throw new Error('two contenders were to run')
      return [
        compareLine({
          what: title,
          ours: ours.mbPerSecond,
          theirs: { name: proxy.name, values: theirs.mbPerSecond },
          unit: 'MB/s',
          atLeast: 2,
        }),
        limitLine({
          what: "Gateway's streaming proxy, download: CPU of the gateway",
          values: ours.cpuSecondsPerGiB,
          unit: 's/GiB',
          digits: 2,
          references: [{ name: proxy.name, values: theirs.cpuSecondsPerGiB }],
          atMost: 0.45,
        }),
      ]
    } finally {
      await proxy.stop()
    }
  } finally {
    await floe.stop()
  }
}

export const gatewayProxyRow: Row = { name: 'gateway-proxy', measure: measureProxy }
