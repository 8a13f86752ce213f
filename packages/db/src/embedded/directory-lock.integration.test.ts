import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { OwnedByAnother } from './ownership.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('lockDirectory', () => {
  let dir: string
  const locks: DirectoryLock[] = []

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'floe-lock-'))
  })

  afterEach(async () => {
    await Promise.all(locks.splice(0).map((lock) => lock.release()))
    await rm(dir, { recursive: true, force: true })
  })

  async function lock(place?: string): Promise<DirectoryLock> {
    const taken = await lockDirectory({ dir, log, ...(place !== undefined && { place }) })
    locks.push(taken)
    return taken
  }

  it.runIf(process.platform === 'linux')(
    'refuses a second owner until it is released',
    async () => {
      const first = await lock()
      await expect(lock()).rejects.toBeInstanceOf(OwnedByAnother)

      await first.release()
      await lock()
    },
  )

  it('refuses a second owner in another container while the first one lives', async () => {
    await lock('container one')

    await expect(lock('container two')).rejects.toBeInstanceOf(OwnedByAnother)
  })

  it('takes over from a container that died, after watching for its beat', async () => {
    await writeFile(join(dir, 'owner'), 'container one')

    await lock('container two')

    expect(await readFile(join(dir, 'owner'), 'utf8')).toBe('container two')
  })

  it('takes over at once from an owner that fell silent long ago', async () => {
    await writeFile(join(dir, 'owner'), 'container one')
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(join(dir, 'owner'), longAgo, longAgo)

    const startedAt = Date.now()
    await lock('container two')

    expect(Date.now() - startedAt).toBeLessThan(7_000)
  })
})
