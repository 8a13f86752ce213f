import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { filePaths, fillShare, signUp } from '../floe/session.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { createTransferLog, GiB, logTransfer, MiB } from '../harness/transfers.ts'
import { startNginx } from '../references/nginx.ts'

const title = 'Download, one stream, to nginx sendfile'

async function measureDownload(bench: Bench): Promise<Line[]> {
  const { scratch, load, isQuick, rounds } = bench
  const sizeBytes = isQuick ? 64 * MiB : GiB
  const nginx = await startNginx(scratch)
  if (!nginx) return [missingLine(title, 'nginx is not installed here')]
  const floe = await startFloe(scratch)
  try {
    const session = await signUp(floe)
    const shareId = await fillShare(session, load, [sizeBytes])
    const ours = {
      log: createTransferLog('Floe'),
      server: floe,
      paths: await filePaths(session, shareId),
      headers: [`Cookie: ${await session.openShare(shareId)}`],
    }
    const paths = ['/file.bin']
    await load.write({ port: nginx.port, method: 'PUT', paths, sizeBytes })
    const theirs = { log: createTransferLog(nginx.name), server: nginx, paths, headers: [] }
    await waitUntilQuiet(floe)
    for (const { server, paths: from, headers } of [ours, theirs]) {
      await load.read({ port: server.port, paths: from, sizeBytes, headers, isVerified: true })
    }
    await runRounds(
      rounds,
      [ours, theirs].map(({ log, server: { port, pid }, paths: from, headers }) => ({
        name: log.name,
        run: () =>
          logTransfer(log, { pid, payloadBytes: sizeBytes }, () =>
            load.read({ port, paths: from, sizeBytes, headers }),
          ),
      })),
    )
    return [
      compareLine({
        what: title,
        ours: ours.log.mbPerSecond,
        theirs: { name: nginx.name, values: theirs.log.mbPerSecond },
        unit: 'MB/s',
        atLeast: 0.9,
      }),
      limitLine({
        what: 'Download, one stream: CPU',
        values: ours.log.cpuSecondsPerGiB,
        unit: 's/GiB',
        digits: 2,
        references: [{ name: nginx.name, values: theirs.log.cpuSecondsPerGiB }],
      }),
    ]
  } finally {
    await floe.stop()
    await nginx.stop()
  }
}

export const downloadRow: Row = { name: 'download', measure: measureDownload }
