import { randomUUID } from 'node:crypto'
import { rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type PingvinData, writePingvin } from '@floe/testing'
import type { Bench, Row } from '../bench.ts'
import { startFloe } from '../floe/floe.ts'
import { peakRssBytes, startProcess } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'
import type { Scratch } from '../harness/scratch.ts'
import { GiB, MiB } from '../harness/transfers.ts'

const program = fileURLToPath(new URL('../../../bin/import.mjs', import.meta.url))
const MADE = Date.parse('2024-02-03T04:05:06.789Z')
const FILES_A_SHARE = 3
const SMALL_BYTES = 1000
const LARGE_FILES = 10
const LIMIT_MS = 3_600_000

function sharesOf(count: number, filesEach: number, bytes: number): PingvinData {
  const ids = Array.from({ length: count }, (_, index) => `share-${index}`)
  const row = { createdAt: MADE, expiration: 0, uploadLocked: 1 }
  return {
    version: 'B',
    rows: {
      Share: ids.map((id) => ({ ...row, id })),
      File: ids.flatMap((shareId) =>
        Array.from({ length: filesEach }, (_, index) => ({
          ...{ id: randomUUID(), name: `file ${index}.bin`, size: String(bytes) },
          ...{ createdAt: MADE, shareId },
        })),
      ),
    },
  }
}

/** As an old server leaves it, in the folder of this run. */
async function writeSource(
  scratch: Scratch,
  data: PingvinData,
  write: (path: string) => Promise<void>,
): Promise<string> {
  const paths = (data.rows.File ?? []).map(({ id, shareId }) => `${String(shareId)}/${String(id)}`)
  const files = Object.fromEntries(paths.map((path) => [path, '']))
  const source = scratch.file(`pingvin-${randomUUID()}`)
  await rename(await writePingvin({ ...data, files }), source)
  for (const path of paths) await write(join(source, 'uploads/shares', path))
  return source
}

/** Runs the command beside a server to its end. */
async function runImport(
  scratch: Scratch,
  dataDir: string,
  args: string[],
): Promise<{ seconds: number; peakBytes: number }> {
  const startedAt = performance.now()
  const running = startProcess({
    command: process.execPath,
    args: [program, 'pingvin', ...args],
    env: { DATA_DIR: dataDir, TMPDIR: scratch.folder('temporary') },
    logFile: scratch.file('import.log'),
  })
  let peakBytes = 0
  while (!running.hasEnded()) {
    peakBytes = Math.max(peakBytes, readPeak(running.pid))
    if (performance.now() - startedAt > LIMIT_MS) await running.stop()
    await delay(20)
  }
  if (!/what came/.test(running.output())) throw new Error(running.output())
  return { seconds: (performance.now() - startedAt) / 1000, peakBytes }
}

function readPeak(pid: number): number {
  try {
    return peakRssBytes(pid)
  } catch {
    return 0 // It ended while we looked.
  }
}

async function measureMany({ scratch, isQuick }: Bench): Promise<Line[]> {
  const shares = isQuick ? 1_000 : 100_000
  const content = Buffer.alloc(SMALL_BYTES, 'floe')
  const source = await writeSource(scratch, sharesOf(shares, FILES_A_SHARE, SMALL_BYTES), (path) =>
    writeFile(path, content),
  )
  const floe = await startFloe(scratch)
  try {
    const { seconds, peakBytes } = await runImport(scratch, floe.dataDir, [source])
    const files = shares * FILES_A_SHARE
    const what = `Import of ${shares} shares with ${files} files of 1 kB`
    return [
      limitLine({ what, values: [(shares + files) / seconds], unit: 'rows/s', digits: 0 }),
      limitLine({
        ...{ what: `${what}: memory`, values: [peakBytes / 1e6], unit: 'MB', digits: 0 },
        atMost: 300,
      }),
    ]
  } finally {
    await floe.stop()
  }
}

async function measureLinked({ scratch, isQuick }: Bench): Promise<Line[]> {
  const bytes = isQuick ? 100 * MiB : 5 * GiB
  const source = await writeSource(scratch, sharesOf(LARGE_FILES, 1, bytes), (path) =>
    truncate(path, bytes),
  )
  const floe = await startFloe(scratch)
  try {
    const { seconds } = await runImport(scratch, floe.dataDir, [source, '--link'])
    const gigabytes = Math.round((LARGE_FILES * bytes) / GiB)
    return [
      limitLine({
        ...{ what: `Import of ${gigabytes} GiB by links`, values: [seconds], unit: 's', digits: 1 },
        atMost: 60,
      }),
    ]
  } finally {
    await floe.stop()
  }
}

export const importRow: Row = {
  name: 'import',
  measure: async (bench) => [...(await measureMany(bench)), ...(await measureLinked(bench))],
}
