import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { runCommand } from '../world/command.ts'
import type { Client } from '../world/http-client.ts'
import { createShare, openShare, publishShare, type PublishedShare } from '../world/shares.ts'
import { append, beginUpload, offsetOf } from '../world/tus.ts'
import { verify } from '../world/verify.ts'

const contents = [randomBytes(50_000), randomBytes(300_000), Buffer.from('text '.repeat(20_000))]
const half = randomBytes(500_000)

// Its data directory is replaced: a Floe of its own.
describe.each(ownArrangements)('npm run backup and restore, %s', (arrangement) => {
  let floe: RunningFloe
  let directory: string
  let owner: Client
  let published: PublishedShare
  const account: Account = newAccount()
  const folders = { first: '', restored: '' }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-backup-'))
    folders.first = join(directory, 'first')
    folders.restored = join(directory, 'restored')
    floe = await startFloe({ arrangement })
    owner = await signUp(floe, account)
    const files = contents.map((content, index) => [`file ${index}.bin`, content] as const)
    published = await publishShare(owner, Object.fromEntries(files), {
      security: { password: 'of a share' },
    })
  })
  afterAll(async () => {
    await floe?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const run = (name: 'backup' | 'restore', dataDirectory: string, ...args: string[]) =>
    runCommand(name, { DATA_DIR: dataDirectory }, ...args)

  test('saves a whole while files come and go, and an empty installation gets it back', async () => {
    await owner.send('PATCH', '/api/configs/admin', {
      json: [{ key: 'smtp.password', value: 'a sealed secret' }],
    })
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, {
      shareId,
      filename: 'half.bin',
      lengthBytes: half.length,
    })
    await append(owner, path, 0, half.subarray(0, 300_000))

    let isOver = false
    let rounds = 0
    const changes = async () => {
      while (!isOver) {
        const { id } = await publishShare(owner, { 'short lived.bin': randomBytes(100_000) })
        const open = await createShare(owner)
        const upload = { shareId: open, filename: 'a.bin', lengthBytes: 300_000 }
        await append(owner, await beginUpload(owner, upload), 0, randomBytes(300_000))
        await owner.send('DELETE', `/api/shares/${id}`)
        rounds += 1
      }
    }
    const changing = Promise.all([changes(), changes(), changes()])
    const saved = await run('backup', floe.dataDirectory, folders.first).finally(() => {
      isOver = true
    })
    await changing
    expect(saved).toMatchObject({ code: 0, errors: '' })
    expect(saved.lines[0]).toMatch(/^saved [\d ]+ rows, [\d ]+ objects to /)
    expect(rounds).toBeGreaterThan(0)

    const restored = await run('restore', folders.restored, folders.first)
    expect(restored).toMatchObject({ code: 0, errors: '' })
    const checked = await verify(folders.restored, '--deep')
    expect(checked).toEqual({
      code: 0,
      errors: '',
      lines: [expect.stringMatching(/: no differences$/)],
    })
  }, 120_000)

  test('what was restored works on', async () => {
    const port = new URL(floe.url).port
    await floe.kill()
    await rm(floe.dataDirectory, { recursive: true })
    await cp(folders.restored, floe.dataDirectory, { recursive: true })
    await floe.restart()
    expect(new URL(floe.url).port).toBe(port)
    const again = await signIn(floe.url, account)
    await openShare(again, published.id, 'of a share')
    for (const [index, fileId] of published.fileIds.entries()) {
      const file = await again.send('GET', `/api/shares/${published.id}/files/${fileId}`)
      expect(file.bytes.equals(contents[index] ?? Buffer.alloc(0))).toBe(true)
    }
    const unfinished = (await again.send('GET', '/api/uploads')).body as {
      url: string
      name: string
    }[]
    const upload = unfinished.find(({ name }) => name === 'half.bin')
    const path = upload?.url ?? ''
    const offset = await offsetOf(again, path)
    expect(offset).toBeLessThanOrEqual(300_000)
    expect((await append(again, path, offset, half.subarray(offset))).status).toBe(204)
    const config = (await again.send('GET', '/api/configs/admin/smtp')).body as {
      key: string
      updatedAt: string | null
    }[]
    expect(config.find(({ key }) => key === 'smtp.password')?.updatedAt).toBeTruthy()
    owner = again
    expect(await verify(floe.dataDirectory, '--deep')).toMatchObject({ code: 0 })
  }, 120_000)
})
