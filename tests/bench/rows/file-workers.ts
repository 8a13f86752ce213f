import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { signUp } from '../floe/session.ts'
import { fetchMemory } from '../harness/memory.ts'
import { compareLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { GiB, MB, MiB } from '../harness/transfers.ts'
import { fileServiceUrl } from './gateway-proxy.ts'

/** Asked before anything is bound to fewer. */
const allCores = availableParallelism()

const what = 'Upload, two streams, two processes and two cores, to one of each'

/**
 * Uploads straight to a file service of as many processes as it has cores, one stream for each: a
 * gateway would need a core of its own. The client shares the cores, so that both sides of the
 * comparison are all that so many cores can do.
 */
async function startOnCores({ scratch, load }: Bench, cores: number, sizeBytes: number) {
  const floe = await onCores(cores, () =>
    startFloe(scratch, { arrangement: 'split', env: { FILE_PROCESSES: `${cores}` } }),
  )
  const port = Number(new URL(fileServiceUrl(floe)).port)
  const session = await signUp(floe)
  const mbPerSecond: number[] = []
  const upload = async () => {
    const shareId = await session.createShare()
    const paths: string[] = []
    for (let index = 0; index < cores; index++) {
      paths.push(await session.createUpload(shareId, `file-${index}.bin`, sizeBytes))
    }
    await waitUntilQuiet(floe)
    await fetchMemory()
    const { seconds } = await onCores(cores, () =>
      load.write({ port, method: 'PATCH', paths, sizeBytes, isTus: true }),
    )
    await session.deleteShare(shareId)
    await waitUntilQuiet(floe)
    return (cores * sizeBytes) / seconds / MB
  }
  return {
    name: `${cores} on ${cores}`,
    mbPerSecond,
    warmUp: upload,
    run: async () => void mbPerSecond.push(await upload()),
    stop: floe.stop,
  }
}

/** What is started meanwhile stays on the first cores of the machine. */
async function onCores<Result>(cores: number, start: () => Promise<Result>): Promise<Result> {
  bindToCores(cores)
  try {
    return await start()
  } finally {
    bindToCores(allCores)
  }
}

function bindToCores(cores: number): boolean {
  const list = `0-${cores - 1}`
  return spawnSync('taskset', ['-p', '-c', list, `${process.pid}`]).status === 0
}

async function measureWorkers(bench: Bench): Promise<Line[]> {
  const sizeBytes = bench.isQuick ? 64 * MiB : GiB
  if (allCores < 2) return [missingLine(what, 'the machine has one core')]
  if (!bindToCores(allCores)) return [missingLine(what, 'taskset is not installed here')]
  const one = await startOnCores(bench, 1, sizeBytes)
  try {
    const two = await startOnCores(bench, 2, sizeBytes)
    try {
      await one.warmUp()
      await two.warmUp()
      await runRounds(bench.rounds, [two, one])
      return [
        compareLine({
          what,
          ours: two.mbPerSecond,
          theirs: { name: 'one stream, one process, one core', values: one.mbPerSecond },
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
