import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeSentences, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import {
  archivePath,
  expectAccepted,
  openBody,
  readArchiveState,
  saveBody,
  waitForArchive,
} from '../world/archives.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { changeSettings } from '../world/mail.ts'
import { completeShare, createShare, openShare } from '../world/shares.ts'
import { append, beginUpload } from '../world/tus.ts'

const MiB = 1024 * 1024

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'floe-levels-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

describe('half a gibibyte of text at level 6, its worker killed in the middle', () => {
  /** Deflate looks back 32 KiB: to it, the repetition is not one. */
  const piece = makeSentences(16 * MiB, 42)
  /** Twice what the process may hold in memory. */
  const pieces = 32
  const sizeBytes = pieces * piece.length
  let floe: RunningFloe
  let owner: Client
  let shareId: string

  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
    owner = await signUp(floe, newAccount())
    await changeSettings(owner, [{ key: 'share.zipCompressionLevel', value: 6 }])
    shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'text.txt', lengthBytes: sizeBytes })
    for (let offset = 0; offset < sizeBytes; offset += piece.length) {
      expect((await append(owner, path, offset, piece)).status).toBe(204)
    }
    await completeShare(owner, shareId)
  }, 600_000)
  afterAll(() => floe.stop())

  test('goes on where it was, and makes what zip -6 makes, in bounded memory', async () => {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, shareId)).status).toBe(200)
    const path = archivePath(shareId)
    const progress = async () => (await readArchiveState(visitor, shareId)).progress ?? 1
    await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(0.3), {
      timeout: 300_000,
      interval: 50,
    })
    await floe.kill()
    await floe.restart()
    const restartedAt = performance.now()
    const kept = await progress()
    expect(kept).toBeGreaterThan(0.3)
    expect(kept).toBeLessThan(1)
    const told = await waitForArchive(visitor, shareId, 600_000)
    report(`went on at ${kept.toFixed(2)}, ready after ${secondsSince(restartedAt)} s`)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    const peakMiB = peakMemory(floe.pid) / MiB
    report(`peak memory of the process ${peakMiB.toFixed(0)} MiB`)
    expect(peakMiB).toBeLessThan(256)

    const file = join(scratch, 'ours.zip')
    const head = await visitor.send('HEAD', path)
    const saved = await saveBody(await openBody(visitor, path), file)
    expect(saved.sizeBytes).toBe(Number(head.headers['content-length']))
    await expectAccepted('unzip', ['-tqq', file])
    const theirs = await zipSix()
    report(`${saved.sizeBytes} bytes, zip -6 makes ${theirs}`)
    expect(saved.sizeBytes / theirs).toBeLessThan(1.03)
  }, 1_200_000)

  /** Of all pieces: for the same reason each takes as much as the first. */
  async function zipSix(): Promise<number> {
    const plain = join(scratch, 'text.txt')
    await writeFile(plain, piece)
    await expectAccepted('zip', ['-6', '-q', '-j', join(scratch, 'theirs.zip'), plain])
    return (await stat(join(scratch, 'theirs.zip'))).size * pieces
  }
})

/** The most bytes the process has held in memory since its start. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0)
}

function report(line: string): void {
  process.stdout.write(`  archive at level 6: ${line}\n`)
}
