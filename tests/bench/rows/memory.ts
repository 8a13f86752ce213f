import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { filePaths, signUp, type Session } from '../floe/session.ts'
import { peakRssBytes, resetPeakRss, rssBytes } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'
import { MB, MiB } from '../harness/transfers.ts'

const STREAMS = 50

interface Peak {
  idleMB: number
  peakMB: number
}

/** Peak of the process during `move`, which follows a fresh start. */
async function watchPeak(pid: number, move: () => Promise<unknown>): Promise<Peak> {
  const idleMB = rssBytes(pid) / MB
  resetPeakRss(pid)
  await move()
  return { idleMB, peakMB: peakRssBytes(pid) / MB }
}

async function createUploads(session: Session, shareId: string, sizeBytes: number) {
  const paths: string[] = []
  for (let index = 0; index < STREAMS; index++) {
    paths.push(await session.createUpload(shareId, `file-${index}.bin`, sizeBytes))
  }
  return paths
}

/** Each direction in a process of its own, so that neither inherits the other's memory. */
async function measureRound({ scratch, load, isQuick }: Bench): Promise<[Peak, Peak]> {
  const sizeBytes = (isQuick ? 2 : 64) * MiB
  const first = await startFloe(scratch)
  const { dataDir } = first
  let uploads: Peak
  let paths: string[]
  let cookie: string
  try {
    const session = await signUp(first)
    const shareId = await session.createShare()
    const targets = await createUploads(session, shareId, sizeBytes)
    const { port } = first
    await waitUntilQuiet(first)
    uploads = await watchPeak(first.pid, () =>
      load.write({ port, method: 'PATCH', paths: targets, sizeBytes, isTus: true }),
    )
    await session.completeShare(shareId)
    paths = await filePaths(session, shareId)
    cookie = await session.openShare(shareId)
    await waitUntilQuiet(first)
  } finally {
    await first.stop()
  }
  const second = await startFloe(scratch, { dataDir })
  try {
    await waitUntilQuiet(second)
    const read = { port: second.port, paths, sizeBytes, headers: [`Cookie: ${cookie}`] }
    return [uploads, await watchPeak(second.pid, () => load.read(read))]
  } finally {
    await second.stop()
    scratch.discard(dataDir)
  }
}

async function measureMemory(bench: Bench): Promise<Line[]> {
  const rounds: [Peak, Peak][] = []
  for (let run = 0; run < bench.rounds; run++) rounds.push(await measureRound(bench))
  const line = (what: string, peaks: Peak[], atMost: number): Line =>
    limitLine({
      what: `Memory of the Node process with ${STREAMS} ${what} at once`,
      values: peaks.map(({ peakMB }) => peakMB),
      unit: 'MB',
      digits: 0,
      references: [{ name: 'before them', values: peaks.map(({ idleMB }) => idleMB) }],
      atMost,
    })
  return [
    line(
      'uploads',
      rounds.map(([uploads]) => uploads),
      200,
    ),
    line(
      'downloads',
      rounds.map(([, downloads]) => downloads),
      200,
    ),
  ]
}

export const memoryRow: Row = { name: 'memory', measure: measureMemory }
