import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Row } from '../bench.ts'
import { createTusUpload } from '../client/tus.ts'
import { startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { filePaths, fillShare, signUp, type Session } from '../floe/session.ts'
import { fetchMemory } from '../harness/memory.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds, type Contender } from '../harness/statistics.ts'
import {
  createTransferLog,
  GiB,
  logTransfer,
  MB,
  MiB,
  type TransferLog,
} from '../harness/transfers.ts'
import { startNginx } from '../references/nginx.ts'
import { startNodeReference } from '../references/node-reference.ts'
import type { Reference } from '../references/reference.ts'
import { startTusd } from '../references/tusd.ts'

/** One upload of `sizeBytes`; fresh on each call, and gone afterwards. */
type Upload = (log: TransferLog, sizeBytes: number, requestBytes?: number) => Promise<void>

function floeUpload({ load }: Bench, floe: Floe, session: Session): Upload {
  return async (log, sizeBytes, requestBytes = sizeBytes) => {
    const shareId = await session.createShare()
    const path = await session.createUpload(shareId, 'file.bin', sizeBytes)
    await waitUntilQuiet(floe)
    await fetchMemory()
    await logTransfer(log, { pid: floe.pid, payloadBytes: sizeBytes }, () =>
      load.write({
        port: floe.port,
        method: 'PATCH',
        paths: [path],
        sizeBytes,
        requestBytes,
        isTus: true,
      }),
    )
    await session.deleteShare(shareId)
    await waitUntilQuiet(floe)
  }
}

function tusUpload({ load }: Bench, reference: Reference, path: string): Upload {
  return async (log, sizeBytes) => {
    const { port, pid } = reference
    const metadata = { filename: 'file.bin' }
    const upload = await createTusUpload({ port, path, sizeBytes, metadata })
    await fetchMemory()
    await logTransfer(log, { pid, payloadBytes: sizeBytes }, () =>
      load.write({ port, method: 'PATCH', paths: [upload], sizeBytes, isTus: true }),
    )
    emptyFolder(reference.folder)
  }
}

function davUpload({ load }: Bench, { port, pid, folder }: Reference): Upload {
  return async (log, sizeBytes) => {
    await fetchMemory()
    await logTransfer(log, { pid, payloadBytes: sizeBytes }, () =>
      load.write({ port, method: 'PUT', paths: ['/file.bin'], sizeBytes }),
    )
    emptyFolder(folder)
  }
}

function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
}

/** A fast wrong server wins nothing: what was uploaded must come back byte for byte. */
async function proveRoundTrip({ load }: Bench, floe: Floe, session: Session): Promise<void> {
  const sizeBytes = 64 * MiB + 12_345
  const shareId = await fillShare(session, load, [sizeBytes])
  const paths = await filePaths(session, shareId)
  const headers = [`Cookie: ${await session.openShare(shareId)}`]
  await load.read({ port: floe.port, paths, sizeBytes, isVerified: true, headers })
  await session.deleteShare(shareId)
}

interface Entry extends Contender {
  log: TransferLog
  warmUp: () => Promise<void>
}

function entryOf(name: string, upload: Upload, sizeBytes: number, requestBytes?: number): Entry {
  const log = createTransferLog(name)
  return {
    name,
    log,
    run: () => upload(log, sizeBytes, requestBytes),
    warmUp: () => upload(createTransferLog(name), sizeBytes / 4, requestBytes),
  }
}

async function measureOneStream(bench: Bench): Promise<Line[]> {
  const { scratch, cacheFolder, isQuick, rounds } = bench
  const sizeBytes = isQuick ? 64 * MiB : GiB
  const nginx = await startNginx(scratch)
  const tusd = await startTusd(scratch, cacheFolder)
  const tus = await startNodeReference(scratch, 'tus-server', '@tus/server 2.4.5')
  const floe = await startFloe(scratch)
  try {
    const session = await signUp(floe)
    await proveRoundTrip(bench, floe, session)
    const ours = entryOf('Floe', floeUpload(bench, floe, session), sizeBytes)
    const dav = nginx && entryOf(nginx.name, davUpload(bench, nginx), sizeBytes)
    const go = tusd && entryOf(tusd.name, tusUpload(bench, tusd, '/files/'), sizeBytes)
    const node = entryOf(tus.name, tusUpload(bench, tus, '/files'), sizeBytes)
    const entries = [ours, dav, go, node].filter((entry) => entry !== undefined)
    for (const entry of entries) await entry.warmUp()
    await runRounds(rounds, entries)
    return [
      versus(ours, 'nginx WebDAV PUT', dav, 0.6),
      versus(ours, 'tusd', go, 1),
      versus(ours, '@tus/server', node, 2.5),
      limitLine({
        what: 'Upload, one stream: CPU',
        values: ours.log.cpuSecondsPerGiB,
        unit: 's/GiB',
        digits: 2,
        references: entries
          .slice(1)
          .map(({ name, log }) => ({ name, values: log.cpuSecondsPerGiB })),
        atMost: 1.5,
      }),
    ]
  } finally {
    for (const server of [floe, nginx, tusd, tus]) await server?.stop()
  }
}

function versus(ours: Entry, what: string, theirs: Entry | undefined, atLeast: number): Line {
  const title = `Upload, one stream, CRC-32 included, to ${what}`
  if (!theirs) return missingLine(title, 'the reference is not installed here')
  return compareLine({
    what: title,
    ours: ours.log.mbPerSecond,
    theirs: { name: theirs.name, values: theirs.log.mbPerSecond },
    unit: 'MB/s',
    atLeast,
  })
}

async function measureRequestSizes(bench: Bench): Promise<Line[]> {
  const { scratch, isQuick, rounds } = bench
  const sizeBytes = isQuick ? 64 * MiB : GiB
  const floe = await startFloe(scratch)
  try {
    const upload = floeUpload(bench, floe, await signUp(floe))
    const small = entryOf('1 MB requests', upload, sizeBytes, MB)
    const large = entryOf('100 MB requests', upload, sizeBytes, 100 * MB)
    for (const entry of [small, large]) await entry.warmUp()
    await runRounds(rounds, [small, large])
    return [
      compareLine({
        what: 'Upload in 1 MB requests, to the same in 100 MB requests',
        ours: small.log.mbPerSecond,
        theirs: { name: 'Floe, 100 MB requests', values: large.log.mbPerSecond },
        unit: 'MB/s',
        atLeast: 0.7,
      }),
    ]
  } finally {
    await floe.stop()
  }
}

export const uploadRow: Row = { name: 'upload', measure: measureOneStream }
export const requestSizeRow: Row = { name: 'request-size', measure: measureRequestSizes }
