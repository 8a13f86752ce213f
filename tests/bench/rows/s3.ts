import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Bench, Row } from '../bench.ts'
import { openBucket } from '../client/s3.ts'
import { createTusUpload } from '../client/tus.ts'
import { type Floe, startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { filePaths, fillShare, type Session, signUp } from '../floe/session.ts'
import { fetchMemory } from '../harness/memory.ts'
import { listenerPid, peakRssBytes, resetPeakRss, rssBytes } from '../harness/process.ts'
import { compareLine, limitLine, type Line, missingLine } from '../harness/report.ts'
import { type Contender, median, ratios, runRounds } from '../harness/statistics.ts'
import { MB, MiB } from '../harness/transfers.ts'
import { type Minio, startMinio } from '../references/minio.ts'
import { startNodeReference } from '../references/node-reference.ts'
import { fileServiceUrl } from './gateway-proxy.ts'

const STREAMS = 50

interface Racer extends Contender {
  mbPerSecond: number[]
}

function createRacer(
  name: string,
  sizeBytes: number,
  move: () => Promise<{ seconds: number }>,
): Racer {
  const mbPerSecond: number[] = []
  const run = async () => {
    const { seconds } = await move()
    mbPerSecond.push(sizeBytes / seconds / MB)
  }
  return { name, run, mbPerSecond }
}

/** Each once before, so that no first time is measured. */
async function race(rounds: number, racers: readonly Racer[]): Promise<void> {
  for (const { run, mbPerSecond } of racers) {
    await run()
    mbPerSecond.length = 0
  }
  await runRounds(rounds, racers)
}

/** None of them waits for memory that the machine has lent to its host. */
function withMemory(racers: readonly Racer[]): Racer[] {
  return racers.map((racer) => {
    const run = async () => {
      await fetchMemory()
      await racer.run()
    }
    return { ...racer, run }
  })
}

function versus(what: string, ours: Racer, theirs: Racer, atLeast: number): Line {
  const reference = { name: theirs.name, values: theirs.mbPerSecond }
  return compareLine({ what, ours: ours.mbPerSecond, theirs: reference, unit: 'MB/s', atLeast })
}

async function withMinio(
  { scratch }: Bench,
  what: string,
  measure: (minio: Minio) => Promise<Line[]>,
): Promise<Line[]> {
  const minio = await startMinio(scratch)
  if (!minio) return [missingLine(what, 'MinIO is not installed here')]
  try {
    return await measure(minio)
  } finally {
    await minio.stop()
  }
}

/** Its services in processes of their own, its objects in MinIO. */
async function withFloe<T>(
  { scratch }: Bench,
  env: Record<string, string>,
  use: (floe: Floe & { filePort: number }) => Promise<T>,
): Promise<T> {
  const floe = await startFloe(scratch, { arrangement: 'split', env })
  try {
    return await use({ ...floe, filePort: Number(new URL(fileServiceUrl(floe)).port) })
  } finally {
    await floe.stop()
    scratch.discard(floe.dataDir)
  }
}

function measureUpload(bench: Bench): Promise<Line[]> {
  const { scratch, load, isQuick, rounds } = bench
  const sizeBytes = (isQuick ? 64 : 512) * MiB
  const send = (port: number, path: string) =>
    load.write({ port, method: 'PATCH', paths: [path], sizeBytes, isTus: true })
  return withMinio(bench, 'Upload into MinIO', async (minio) => {
    const bucket = await openBucket(minio, 'direct')
    const tusBucket = await openBucket(minio, 'tus')
    const name = '@tus/server 2.4.5 with @tus/s3-store 2.0.7'
    const environment = minio.environment('tus')
    const tus = await startNodeReference(scratch, 'tus-s3-server', name, environment)
    const direct = createRacer('AWS SDK, four parts at once', sizeBytes, async () => {
      const moved = await bucket.upload(sizeBytes)
      await bucket.empty()
      return moved
    })
    const store = createRacer(name, sizeBytes, async () => {
      const metadata = { filename: 'a.bin' }
      const upload = { port: tus.port, path: '/files', sizeBytes, metadata }
      const moved = await send(tus.port, await createTusUpload(upload))
      await tusBucket.empty()
      return moved
    })
    try {
      return await withFloe(bench, minio.environment('floe'), async (floe) => {
        const session = await signUp(floe)
        const through = (port: number) => async () => {
          const shareId = await session.createShare()
          const moved = await send(port, await session.createUpload(shareId, 'a.bin', sizeBytes))
          await session.deleteShare(shareId)
          await waitUntilQuiet(floe)
          return moved
        }
        const service = createRacer('Floe', sizeBytes, through(floe.filePort))
        const gateway = createRacer('Floe', sizeBytes, through(floe.port))
        await race(rounds, withMemory([service, direct, gateway, store]))
        const what = 'Upload into MinIO'
        const toStore = versus(
          `${what} through the file service, to @tus/s3-store`,
          service,
          store,
          3,
        )
        // Nothing can be faster: how much MinIO leaves of the machine shows in it.
        const bound = median(ratios(direct.mbPerSecond, store.mbPerSecond)).toFixed(2)
        return [
          versus(`${what} through the file service, to a direct client`, service, direct, 0.6),
          versus(`${what} through the gateway as well, to a direct client`, gateway, direct, 0.5),
          { ...toStore, measured: `${toStore.measured}; the direct client: ${bound} ×` },
        ]
      })
    } finally {
      bucket.close()
      tusBucket.close()
      await tus.stop()
    }
  })
}

/** A published file of so many bytes, and who may read it. */
async function publish({ load }: Bench, session: Session, sizeBytes: number) {
  const shareId = await fillShare(session, load, [sizeBytes])
  const [path = ''] = await filePaths(session, shareId)
  return { path, cookie: await session.openShare(shareId) }
}

function measureDownload(bench: Bench): Promise<Line[]> {
  const { load, isQuick, rounds } = bench
  const sizeBytes = (isQuick ? 64 : 512) * MiB
  return withMinio(bench, 'Download from MinIO', async (minio) => {
    const bucket = await openBucket(minio, 'direct')
    const directPath = await bucket.publish(sizeBytes)
    bucket.close()
    const read = (port: number, path: string, headers: string[] = []) =>
      load.read({ port, paths: [path], sizeBytes, headers })
    const directly = () =>
      createRacer('a signed address of MinIO', sizeBytes, () => read(minio.port, directPath))
    const proxied = await withFloe(bench, minio.environment('floe'), async (floe) => {
      const { path, cookie } = await publish(bench, await signUp(floe), sizeBytes)
      const through = (port: number) => () => read(port, path, [`Cookie: ${cookie}`])
      const service = createRacer('Floe', sizeBytes, through(floe.filePort))
      const gateway = createRacer('Floe', sizeBytes, through(floe.port))
      const direct = directly()
      await waitUntilQuiet(floe)
      await race(rounds, [service, direct, gateway])
      const what = 'Download from MinIO'
      return [
        versus(`${what} through the file service, to a direct one`, service, direct, 0.5),
        versus(`${what} through the gateway as well, to a direct one`, gateway, direct, 0.5),
      ]
    })
    const env = { ...minio.environment('redirected'), S3_PUBLIC_ENDPOINT: minio.endpoint }
    const redirected = await withFloe(bench, env, async (floe) => {
      const { path, cookie } = await publish(bench, await signUp(floe), sizeBytes)
      const redirect = createRacer('Floe', sizeBytes, async () => {
        const startedAt = performance.now()
        const target = await locationOf(floe, path, cookie)
        const seconds = (performance.now() - startedAt) / 1000
        const moved = await read(minio.port, target)
        return { seconds: seconds + moved.seconds }
      })
      const direct = directly()
      await waitUntilQuiet(floe)
      await race(rounds, [redirect, direct])
      return [versus('Download redirected to MinIO, to a direct one', redirect, direct, 0.9)]
    })
    return [...proxied, ...redirected]
  })
}

/**
 * Where a download is sent to: the path of a signed address. Scripts, which `fetch` says it is, get
 * the bytes.
 */
async function locationOf({ port }: Floe, path: string, cookie: string): Promise<string> {
  const call = get({ host: '127.0.0.1', port, path, headers: { Cookie: cookie } })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  response.resume()
  const { statusCode, headers } = response
  if (headers.location === undefined) {
    throw new Error(`${path} returned ${statusCode} without a location`)
  }
  const url = new URL(headers.location)
  return url.pathname + url.search
}

async function measureMemory(bench: Bench): Promise<Line[]> {
  const { load, isQuick, rounds } = bench
  const sizeBytes = (isQuick ? 2 : 32) * MiB
  const round = (minio: Minio, run: number) =>
    withFloe(bench, minio.environment(`floe-${run}`), async (floe) => {
      const session = await signUp(floe)
      const shareId = await session.createShare()
      const paths: string[] = []
      for (let index = 0; index < STREAMS; index++) {
        paths.push(await session.createUpload(shareId, `file-${index}.bin`, sizeBytes))
      }
      await waitUntilQuiet(floe)
      const pid = listenerPid(floe.filePort)
      const idle = rssBytes(pid) / MB
      const peakOf = async (move: () => Promise<unknown>) => {
        resetPeakRss(pid)
        await move()
        return peakRssBytes(pid) / MB
      }
      const { port } = floe
      const uploads = await peakOf(() =>
        load.write({ port, method: 'PATCH', paths, sizeBytes, isTus: true }),
      )
      await session.completeShare(shareId)
      const files = await filePaths(session, shareId)
      const headers = [`Cookie: ${await session.openShare(shareId)}`]
      await waitUntilQuiet(floe)
      const downloads = await peakOf(() => load.read({ port, paths: files, sizeBytes, headers }))
      return { idle, uploads, downloads }
    })
  return withMinio(bench, 'Memory of the file service', async (minio) => {
    const peaks: Awaited<ReturnType<typeof round>>[] = []
    for (let run = 0; run < rounds; run++) peaks.push(await round(minio, run))
    return (['uploads', 'downloads'] as const).map((what) =>
      limitLine({
        what: `Memory of the file service with ${STREAMS} ${what} at once, objects in MinIO`,
        values: peaks.map((peak) => peak[what]),
        unit: 'MB',
        digits: 0,
        references: [{ name: 'before them', values: peaks.map(({ idle }) => idle) }],
        atMost: 200,
      }),
    )
  })
}

export const s3UploadRow: Row = { name: 's3-upload', measure: measureUpload }
export const s3DownloadRow: Row = { name: 's3-download', measure: measureDownload }
export const s3MemoryRow: Row = { name: 's3-memory', measure: measureMemory }
