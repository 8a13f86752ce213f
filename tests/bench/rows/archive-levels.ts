import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeSentences } from '@floe/testing'
import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { signUp, type Session } from '../floe/session.ts'
import { runCommand } from '../harness/process.ts'
import { compareLine, limitLine, missingLine, type Line } from '../harness/report.ts'
import { runRounds, type Contender } from '../harness/statistics.ts'
import { MB, MiB } from '../harness/transfers.ts'
import { startNodeReference } from '../references/node-reference.ts'
import type { Reference } from '../references/reference.ts'

/** Between the fastest and the smallest; what `zip` takes unless told otherwise. */
const LEVEL = 6
const FILES = 4
const POLL_MS = 50
const PREPARE_TIMEOUT_MS = 600_000

interface Timed extends Contender {
  mbPerSecond: number[]
  /** Size of the last response. */
  bodyBytes: number
}

type Kind = 'text' | 'random'

const fullFileBytes: Record<Kind, number> = { text: 64 * MiB, random: 128 * MiB }

async function measureLevels(bench: Bench): Promise<Line[]> {
  const { scratch } = bench
  const floe = await startFloe(scratch)
  try {
    const session = await signUp(floe)
    const lines: Line[] = []
    for (const kind of ['text', 'random'] as const) {
      const folder = scratch.folder(kind)
      const fileBytes = bench.isQuick ? 8 * MiB : fullFileBytes[kind]
      for (let file = 0; file < FILES; file++) {
        writeFileSync(join(folder, `${kind}-${file}`), makeContent(kind, fileBytes, file + 1))
      }
      const scene = { bench, floe, session, folder, kind }
      lines.push(...(kind === 'text' ? await measureText(scene) : await measureRandom(scene)))
      rmSync(folder, { recursive: true })
    }
    return lines
  } finally {
    await floe.stop()
  }
}

interface Scene {
  bench: Bench
  floe: Floe
  session: Session
  folder: string
  kind: Kind
}

async function measureText(scene: Scene): Promise<Line[]> {
  const { bench, folder } = scene
  const archiver = await startArchiver(scene)
  try {
    const ours = preparing(scene)
    const theirs = archiving(scene, archiver)
    await runRounds(bench.rounds, [ours, theirs])
    return [
      compareLine({
        what: `Download all, level ${LEVEL}, text, from completion to the last byte`,
        ours: ours.mbPerSecond,
        theirs: { name: archiver.name, values: theirs.mbPerSecond },
        unit: 'MB/s',
        atLeast: 1.8,
      }),
      await sizeLine(bench, folder, ours.bodyBytes),
    ]
  } finally {
    await archiver.stop()
  }
}

async function measureRandom(scene: Scene): Promise<Line[]> {
  const { bench, session } = scene
  const archiver = await startArchiver(scene)
  try {
    const ours = preparing(scene)
    const theirs = archiving(scene, archiver)
    await runRounds(bench.rounds, [ours, theirs])
    const readAt = async (level: number) => {
      await session.changeSettings({ 'share.zipCompressionLevel': level })
      const { shareId, cookie } = await publish(scene)
      await waitUntilReady(session, shareId, cookie)
      const read = () => readArchive(scene, shareId, cookie)
      return timed(scene, `level ${level}`, () => Promise.resolve(read))
    }
    const [prepared, stored] = [await readAt(LEVEL), await readAt(0)]
    await runRounds(1, [prepared, stored]) // Warms up.
    for (const one of [prepared, stored]) one.mbPerSecond = []
    await runRounds(bench.rounds, [prepared, stored])
    return [
      compareLine({
        what: `Download all, level ${LEVEL}, files that do not shrink, from completion to the last byte`,
        ours: ours.mbPerSecond,
        theirs: { name: archiver.name, values: theirs.mbPerSecond },
        unit: 'MB/s',
        atLeast: 30,
      }),
      compareLine({
        what: `Download all, level ${LEVEL}, files that do not shrink, prepared`,
        ours: prepared.mbPerSecond,
        theirs: { name: 'level 0', values: stored.mbPerSecond },
        unit: 'MB/s',
        atLeast: 0.9,
      }),
    ]
  } finally {
    await archiver.stop()
  }
}

function startArchiver({ bench, folder }: Scene): Promise<Reference> {
  return startNodeReference(bench.scratch, 'archiver', `archiver 8.0.0 at level ${LEVEL}`, {
    FOLDER: folder,
    LEVEL: `${LEVEL}`,
  })
}

/** `prepare` returns the work whose time counts. */
function timed(
  { folder }: Scene,
  name: string,
  prepare: () => Promise<() => Promise<{ bytes: number }>>,
): Timed {
  const contender: Timed = {
    name,
    mbPerSecond: [],
    bodyBytes: 0,
    run: async () => {
      const work = await prepare()
      const startedAt = performance.now()
      contender.bodyBytes = (await work()).bytes
      const seconds = (performance.now() - startedAt) / 1000
      contender.mbPerSecond.push(totalBytes(folder) / seconds / MB)
    },
  }
  return contender
}

/** A new share each time: its segments are made, then it is downloaded. */
function preparing(scene: Scene): Timed {
  const { session, floe } = scene
  return timed(scene, 'Floe', async () => {
    await session.changeSettings({ 'share.zipCompressionLevel': LEVEL })
    const { shareId } = await fill(scene)
    await waitUntilQuiet(floe)
    return async () => {
      await session.completeShare(shareId)
      const cookie = await session.openShare(shareId)
      await waitUntilReady(session, shareId, cookie)
      return readArchive(scene, shareId, cookie)
    }
  })
}

function archiving(scene: Scene, { port, name }: Reference): Timed {
  const { load } = scene.bench
  return timed(scene, name, () =>
    Promise.resolve(() => load.read({ port, paths: ['/'], sizeBytes: 1, untilClose: true })),
  )
}

async function fill({ session, folder }: Scene): Promise<{ shareId: string }> {
  const shareId = await session.createShare()
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name))
    const path = await session.createUpload(shareId, name, bytes.length)
    const response = await fetch(`http://127.0.0.1:${session.port}${path}`, {
      method: 'PATCH',
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: bytes,
    })
    if (response.status !== 204) throw new Error(`upload returned ${response.status}`)
  }
  return { shareId }
}

async function publish(scene: Scene): Promise<{ shareId: string; cookie: string }> {
  const { session } = scene
  const { shareId } = await fill(scene)
  await session.completeShare(shareId)
  return { shareId, cookie: await session.openShare(shareId) }
}

async function waitUntilReady({ port }: Session, shareId: string, cookie: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/shares/${shareId}/metaData`
  const deadline = performance.now() + PREPARE_TIMEOUT_MS
  for (;;) {
    const response = await fetch(url, { headers: { cookie } })
    const { isZipReady } = (await response.json()) as { isZipReady: boolean }
    if (isZipReady) return
    if (performance.now() > deadline) throw new Error('the archive is not ready in time')
    await delay(POLL_MS)
  }
}

function readArchive({ bench, floe }: Scene, shareId: string, cookie: string) {
  return bench.load.read({
    port: floe.port,
    paths: [`/api/shares/${shareId}/files/zip`],
    sizeBytes: 1,
    headers: [`Cookie: ${cookie}`],
  })
}

/** The size of the archive against that of Info-ZIP at the same level. */
async function sizeLine(bench: Bench, folder: string, ourBytes: number): Promise<Line> {
  const what = `Download all, level ${LEVEL}, text: size of the archive, to zip -${LEVEL}`
  const target = bench.scratch.file('theirs.zip')
  try {
    const names = readdirSync(folder)
    await runCommand('zip', [`-${LEVEL}`, '-q', '-j', target, ...names], { cwd: folder })
  } catch {
    return missingLine(what, 'zip is not here')
  }
  const theirBytes = statSync(target).size
  rmSync(target)
  const values = [ourBytes / theirBytes]
  return limitLine({ what, values, unit: '×', digits: 3, atMost: 1.03 })
}

function makeContent(kind: Kind, sizeBytes: number, seed: number): Buffer {
  if (kind === 'random') return randomBytes(sizeBytes)
  // Deflate looks back 32 KiB: to it, the repetition is not one.
  return Buffer.alloc(sizeBytes, makeSentences(8 * MiB, seed))
}

function totalBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

export const archiveLevelsRow: Row = { name: 'archive-levels', measure: measureLevels }
