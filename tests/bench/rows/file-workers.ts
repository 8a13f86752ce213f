import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { signUp } from '../floe/session.ts'
import { compareLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { GiB, MB, MiB } from '../harness/transfers.ts'
import { fileServiceUrl } from './gateway-proxy.ts'

const STREAMS = 2

/** Uploads straight to a file service of so many processes: a gateway would need a core of its own. */
async function startWorkers({ scratch, load }: Bench, processes: number, sizeBytes: number) {
  const floe = await startFloe(scratch, {
    arrangement: 'split',
    env: { FILE_PROCESSES: `${processes}` },
  })
  const port = Number(new URL(fileServiceUrl(floe)).port)
  const session = await signUp(floe)
  const mbPerSecond: number[] = []
  const upload = async () => {
    const shareId = await session.createShare()
    const paths: string[] = []
    for (let index = 0; index < STREAMS; index++) {
      paths.push(await session.createUpload(shareId, `file-${index}.bin`, sizeBytes))
    }
    await waitUntilQuiet(floe)
    const { seconds } = await load.write({ port, method: 'PATCH', paths, sizeBytes, isTus: true })
    await session.deleteShare(shareId)
    await waitUntilQuiet(floe)
    return (STREAMS * sizeBytes) / seconds / MB
  }
  return {
    name: `${processes} processes`,
    mbPerSecond,
    warmUp: upload,
    run: async () => void mbPerSecond.push(await upload()),
    stop: floe.stop,
  }
}

async function measureWorkers(bench: Bench): Promise<Line[]> {
  const sizeBytes = bench.isQuick ? 64 * MiB : GiB
  const one = await startWorkers(bench, 1, sizeBytes)
  try {
    const two = await startWorkers(bench, 2, sizeBytes)
    try {
      await one.warmUp()
      await two.warmUp()
      await runRounds(bench.rounds, [two, one])
      return [
        compareLine({
          what: 'Upload, two streams to a file service of two processes, to the same of one',
          ours: two.mbPerSecond,
          theirs: { name: 'one process', values: one.mbPerSecond },
          unit: 'MB/s',
          atLeast: 1.6,
        }),
      ]
    } finally {
      await two.stop()
    }
  } finally {
    await one.stop()
  }
}

export const fileWorkersRow: Row = { name: 'file-workers', measure: measureWorkers }
