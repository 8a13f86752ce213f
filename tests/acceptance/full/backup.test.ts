import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNeighbourDatabase, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { runCommand } from '../world/command.ts'
import type { Client } from '../world/http-client.ts'
import { openShare, publishShare } from '../world/shares.ts'
import { verify } from '../world/verify.ts'

async function objectsOf(directory: string): Promise<string[]> {
  const root = join(directory, 'objects')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Of an upload that had only begun there is nothing to be damaged. */
async function readFilled(objects: readonly string[]): Promise<{ object: string; bytes: Buffer }> {
  for (const object of objects) {
    const bytes = await readFile(object)
    if (bytes.length > 0) return { object, bytes }
  }
  throw new Error('every object is empty')
}

// Objects are removed and put in from outside: Floes of their own.
describe.each(ownArrangements)('what npm run backup saved, %s', (arrangement) => {
  let floe: RunningFloe
  let directory: string
  let backup: string
  let owner: Client

  const run = (name: 'backup' | 'restore', dataDirectory: string, ...args: string[]) =>
    runCommand(name, { DATA_DIR: dataDirectory }, ...args)

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-backup-'))
    backup = join(directory, 'first')
    floe = await startFloe({ arrangement })
    owner = await signUp(floe)
    await publishShare(owner, { 'a.bin': randomBytes(50_000), 'b.bin': randomBytes(300_000) })
    expect(await run('backup', floe.dataDirectory, backup)).toMatchObject({ code: 0, errors: '' })
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('goes back into an external database', async () => {
    const url = await createNeighbourDatabase(floe.dataDirectory, 'restored')
    const target = { DATA_DIR: join(directory, 'external'), DATABASE_URL: url }
    expect(await runCommand('restore', target, backup)).toMatchObject({ code: 0 })
    expect(await runCommand('verify', target, '--deep')).toMatchObject({ code: 0, errors: '' })
    const second = join(directory, 'second')
    expect(await runCommand('backup', target, second)).toMatchObject({ code: 0, errors: '' })
    expect(await readdir(second)).toContain('manifest.json')
  }, 120_000)

  test('does not hide a removed and a foreign object, which are reported, and repaired on request', async () => {
    const before = new Set(await objectsOf(floe.dataDirectory))
    const sole = await publishShare(owner, { 'sole.bin': randomBytes(70_001) })
    const [lost = ''] = (await objectsOf(floe.dataDirectory)).filter((path) => !before.has(path))
    await rm(lost)
    const foreign = randomBytes(16).toString('hex')
    const path = join(floe.dataDirectory, 'objects', foreign.slice(0, 2), foreign)
    await writeFile(path, 'foreign')

    const reported = [
      expect.stringMatching(/^missing: object [0-9a-f]{32}, file "sole\.bin" /),
      `unknown: object ${foreign} of 7 bytes belongs to nothing`,
      expect.stringMatching(/: 2 differences$/),
    ]
    expect(await verify(floe.dataDirectory)).toMatchObject({ code: 1, lines: reported })
    const repaired = await verify(floe.dataDirectory, '--repair')
    expect(repaired).toMatchObject({ code: 0, errors: '' })
    expect(repaired.lines).toEqual([
      ...reported,
      expect.stringMatching(/^repaired: missing: /),
      expect.stringMatching(/^repaired: unknown: /),
      expect.stringMatching(/^repaired: files gone: /),
      expect.stringMatching(/: no differences$/),
    ])
    expect(await verify(floe.dataDirectory, '--deep')).toMatchObject({ code: 0 })
    const gone = await openShare(owner, sole.id)
    expect(gone.status).toBe(404)
    expect(gone.text).toContain('The files of this share were lost')
  }, 60_000)

  test('is not written over, and comes back undamaged or not at all', async () => {
    const again = await run('backup', floe.dataDirectory, backup)
    expect(again).toMatchObject({ code: 2 })
    expect(again.errors).toMatch(/^There is no backup: .+ is not empty\.\n$/)

    const { object, bytes } = await readFilled(await objectsOf(backup))
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    await writeFile(object, bytes)
    const target = join(directory, 'damaged')
    const damaged = await run('restore', target, backup)
    expect(damaged.errors).toMatch(/^Nothing was restored: the object [0-9a-f]{32} is damaged\.\n$/)
    expect(await objectsOf(target)).toEqual([])
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    await writeFile(object, bytes)
    expect(await run('restore', target, backup)).toMatchObject({ code: 0 })

    const full = await run('restore', target, backup)
    expect(full).toMatchObject({ code: 2 })
    expect(full.errors).toMatch(/^Nothing was restored: this installation is not empty/)
  }, 120_000)
})
