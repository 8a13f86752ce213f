import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import type { Client } from '../world/http-client.ts'
import { findObject } from '../world/objects.ts'
import { publishShare, createShare } from '../world/shares.ts'
import { append, beginUpload } from '../world/tus.ts'
import { verify } from '../world/verify.ts'

const contents = [randomBytes(50_000), randomBytes(300_000), randomBytes(1_500_000)]
const noDifferences = { code: 0, errors: '' }

// Its storage is damaged on purpose: a Floe of its own.
describe.each(ownArrangements)('npm run verify, %s', (arrangement) => {
  let floe: RunningFloe
  let owner: Client
  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    owner = await signUp(floe)
    const files = contents.map((content, index) => [`file ${index}.bin`, content] as const)
    await publishShare(owner, Object.fromEntries(files))
    const shareId = await createShare(owner)
    const upload = { shareId, filename: 'half.bin', lengthBytes: 100_000 }
    const path = await beginUpload(owner, upload)
    expect((await append(owner, path, 0, randomBytes(50_001))).status).toBe(204)
  })
  afterAll(() => floe?.stop())

  const run = (...args: string[]) => verify(floe.dataDirectory, ...args)

  const objectOf = (content: Buffer) => findObject(floe.dataDirectory, content)

  test('finds no differences while the server runs and an upload is unfinished', async () => {
    for (const args of [[], ['--deep']]) {
      expect(await run(...args)).toEqual({
        ...noDifferences,
        lines: ['checked 3 files, 4 objects: no differences'],
      })
    }
  })

  test('takes nothing for a difference that changes under its eyes', async () => {
    let isOver = false
    const changes = async () => {
      while (!isOver) {
        const { id } = await publishShare(owner, { 'short lived.bin': randomBytes(100_000) })
        const shareId = await createShare(owner)
        const upload = { shareId, filename: 'a.bin', lengthBytes: 300_000 }
        const path = await beginUpload(owner, upload)
        await append(owner, path, 0, randomBytes(300_000))
        await owner.send('DELETE', `/api/shares/${id}`)
      }
    }
    const changing = Promise.all([changes(), changes()])
    const verdict = await run('--deep').finally(() => (isOver = true))
    await changing
    expect(verdict).toMatchObject({ ...noDifferences, lines: [expect.any(String)] })
  })

  test('finds a flipped byte when it reads them all', async () => {
    const [content = Buffer.alloc(0)] = contents
    const path = await objectOf(content)
    const flipped = Buffer.from(content)
    flipped.writeUInt8(flipped.readUInt8(77) ^ 1, 77)
    await writeFile(path, flipped)
    expect(await run()).toMatchObject(noDifferences)
    const { code, lines } = await run('--deep')
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^altered: object [0-9a-f]{32}, file "file 0\.bin" /),
      expect.stringMatching(/^checked .* files, .* objects: 1 difference$/),
    ])
    await writeFile(path, content)
    expect(await run('--deep')).toMatchObject(noDifferences)
  })

  test('finds what is missing, cut and left over, also while the server is down', async () => {
    const [, second = Buffer.alloc(0), third = Buffer.alloc(0)] = contents
    await rm(await objectOf(second))
    await truncate(await objectOf(third), 1_000_000)
    const orphan = randomBytes(16).toString('hex')
    const folder = join(floe.dataDirectory, 'objects', orphan.slice(0, 2))
    await writeFile(join(folder, orphan), 'left over')
    const expected = [
      expect.stringMatching(/^missing: object [0-9a-f]{32}, file "file 1\.bin" /),
      expect.stringMatching(/^size: .*"file 2\.bin".* has 1000000 bytes, not 1500000$/),
      `unknown: object ${orphan} of 9 bytes belongs to nothing`,
    ]
    for (const isRunning of [true, false]) {
      if (!isRunning) await floe.kill()
      const { code, lines, errors } = await run()
      expect({ code, errors }).toEqual({ code: 1, errors: '' })
      expect(lines.slice(0, -1).sort()).toEqual(expected)
      expect(lines.at(-1)).toMatch(/: 3 differences$/)
    }
    // What it started for itself is gone again.
    await floe.restart()
    expect((await owner.send('GET', '/api/shares')).status).toBe(200)
  })
})

describe('npm run verify', () => {
  test('says so when it cannot check', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'floe-nothing-'))
    for (const args of [[], ['--deeper'], ['all']]) {
      const verdict = await verify(empty, ...args)
      expect(verdict).toMatchObject({ code: 2, lines: [''] })
      expect(verdict.errors).toMatch(/^Storage and database could not be compared: .+\n$/)
    }
    expect(await readdir(empty)).toEqual([])
    await rm(empty, { recursive: true })
  })
})
