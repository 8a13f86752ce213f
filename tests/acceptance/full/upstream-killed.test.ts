import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findReplicas, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { completeShare, createShare, openShare } from '../world/shares.ts'
import { append, beginUpload } from '../world/tus.ts'

/** What curl ends with when a body is cut short, or its connection reset. */
const brokenOff = [18, 56]
/** More than the buffers on its way hold. */
const content = randomBytes(80_000_000)

// Its file service is killed: a Floe of its own.
let floe: RunningFloe
let directory: string
let path: string
let cookie: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'floe-killed-'))
  floe = await startFloe({ arrangement: 'split' })
  const owner = await signUp(floe)
  const shareId = await createShare(owner)
  const upload = { shareId, filename: 'a.bin', lengthBytes: content.length }
  await append(owner, await beginUpload(owner, upload), 0, content)
  await completeShare(owner, shareId)
  await openShare(owner, shareId)
  const { body } = await owner.send('GET', `/api/shares/${shareId}`)
  path = `/api/shares/${shareId}/files/${(body as { files: { id: string }[] }).files[0]?.id}`
  cookie = owner.cookies.header(path)
})
afterAll(async () => {
  await floe?.stop()
  await rm(directory, { recursive: true, force: true })
})

test('a download whose service is killed is seen as broken by curl, which resumes it', async () => {
  const url = floe.url + path
  const target = join(directory, 'a.bin')
  const flags = ['-sSf', '-b', cookie, '-o', target]
  // Slow enough for most of the body to be on its way still.
  const slow = spawn('curl', [...flags, '--limit-rate', '2M', url], { stdio: 'ignore' })
  const ended = once(slow, 'exit')
  await vi.waitFor(async () => expect((await stat(target)).size).toBeGreaterThan(0), 20_000)
  const [victim] = findReplicas(floe.dataDirectory, 'file')
  process.kill(victim?.pid ?? 0, 'SIGKILL')
  const [code] = (await ended) as [number]
  expect(brokenOff).toContain(code)
  expect((await stat(target)).size).toBeLessThan(content.length)

  const run = promisify(execFile)
  // Its supervisor starts it again.
  await vi.waitFor(() => run('curl', [...flags, '-C', '-', url]), {
    timeout: 60_000,
    interval: 500,
  })
  expect((await readFile(target)).equals(content)).toBe(true)
})
