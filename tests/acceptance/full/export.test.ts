import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShareKey, sealShareKey } from '@floe/encryption'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { runCommand } from '../world/command.ts'
import { createReceiver } from '../world/encrypted.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { beginSending, complete, createReverseShare, openSender } from '../world/reverse-shares.ts'
import { openShare, publishShare } from '../world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode } from '../world/totp.ts'
import { verify } from '../world/verify.ts'

const account = newAccount()
const large = randomBytes(3_000_000)
const contents = {
  'photos/sea 🏖.jpg': large,
  'photos/empty': '',
  '../"up" \\ and: away.txt': 'up',
}
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

describe.each(ownArrangements)('npm run export, %s', (arrangement) => {
  const folders: string[] = []
  let floe: RunningFloe
  let secret: string
  let received: string
  let sealed: string
  let folder: string

  const makeFolder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'floe-export-'))
    folders.push(made)
    return made
  }

  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    const owner = await signUp(floe, account)
    secret = await enrolTotp(owner, account)
    await publishShare(owner, contents, {
      ...{ id: 'Holiday_2026', name: 'Holiday', description: 'Two\nlines', expiration: 'never' },
      security: { password: 'share password', maxViews: 9 },
    })
    await openShare(createClient(floe.url), 'Holiday_2026', 'share password')
    const token = await createReverseShare(owner, { publicAccess: false })
    const sender = openSender({ url: floe.url }, token)
    received = await beginSending(sender, { 'sent.txt': 'sent' })
    expect((await complete(sender, received)).status).toBe(202)
    await beginSending(openSender({ url: floe.url }, token), { 'half.txt': 'half' })
    const receiver = await createReceiver()
    const sealing = openSender({ url: floe.url }, await createReverseShare(owner, { receiver }))
    const sealedKey = await sealShareKey(receiver.publicKey, createShareKey())
    sealed = await beginSending(sealing, { manifest: 'sealed' }, { encrypted: true, sealedKey })
    expect((await complete(sealing, sealed)).status).toBe(202)
    folder = await makeFolder()
  })
  afterAll(async () => {
    await floe?.stop()
    for (const one of folders) await rm(one, { recursive: true, force: true })
  })

  test('writes every share as a plain folder, with what is known of it beside', async () => {
    const exported = await runCommand('export', { DATA_DIR: floe.dataDirectory }, folder)
    expect(exported).toMatchObject({ code: 0, errors: '' })
    expect(exported.lines.at(-1)).toBe(`wrote 3 shares, 5 files to ${folder}`)
    const names = ['Holiday_2026', received, sealed].flatMap((id) => [id, `${id}.json`])
    expect(await readdir(folder)).toEqual([...names, 'floe.export.json'].toSorted())

    const holiday = await readShare(folder, 'Holiday_2026')
    const { files, ...share } = holiday
    expect(share).toMatchObject({
      ...{ id: 'Holiday_2026', name: 'Holiday', description: 'Two\nlines', expiration: null },
      ...{ views: 1, maxViews: 9, recipients: [] },
    })
    expect(files.map(({ name }) => name).toSorted()).toEqual(Object.keys(contents).toSorted())
    for (const { name, size, sha256: digest, path } of files) {
      const bytes = await readFile(join(folder, path))
      const content = contents[name as keyof typeof contents]
      expect({ path, size, digest }).toEqual({
        path: expect.stringMatching(/^Holiday_2026\/(photos\/|_up_)/),
        size: bytes.length,
        digest: sha256(content),
      })
      expect(sha256(bytes)).toBe(digest)
    }
    expect((await readShare(folder, received)).files).toHaveLength(1)
  })

  test('tells what is encrypted, and to whom', async () => {
    const share = { isEncrypted: true, sealedKey: expect.any(String) }
    expect(await readShare(folder, sealed)).toMatchObject(share)
    const { reverseShares } = JSON.parse(
      await readFile(join(folder, 'floe.export.json'), 'utf8'),
    ) as { reverseShares: { receiver: unknown }[] }
    const receiver = { publicKey: expect.any(String), locks: [{ by: 'passphrase' }] }
    expect(reverseShares.map((one) => one.receiver)).toMatchObject([null, receiver])
  })

  test('nobody else on the machine may read it', async () => {
    const { mode } = await stat(join(folder, 'floe.export.json'))
    expect(mode & 0o077).toBe(0)
  })

  test('a folder that has something is left alone', async () => {
    const { code, errors } = await runCommand('export', { DATA_DIR: floe.dataDirectory }, folder)
    expect(code).toBe(2)
    expect(errors).toContain('is not empty')
  })

  test('imported into an empty installation, everything is as it was', async () => {
    const moved = await startFloe({ arrangement: 'embedded' })
    const data = { DATA_DIR: moved.dataDirectory }
    try {
      expect(await runCommand('import', data, 'floe', folder)).toMatchObject({
        code: 0,
        errors: '',
      })
      expect(await verify(data.DATA_DIR, '--deep')).toMatchObject({ code: 0 })
      const again = await makeFolder()
      expect(await runCommand('export', data, again)).toMatchObject({ code: 0 })
      expect(await readExport(again)).toEqual(await readExport(folder))

      const step = await beginSignIn(moved.url, account)
      expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
      await expectHoliday(createClient(moved.url))
      const [here, there] = [moved, floe].map(({ url }) => openShare(createClient(url), received))
      expect((await here)?.status, 'it came through a private reverse share').toBe(403)
      expect((await there)?.status).toBe(403)
    } finally {
      await moved.stop()
    }
  })

  test.each([
    ['that is not complete', {}, /no whole export/],
    [
      'of another format',
      { 'floe.export.json': '{"format":3}' },
      /not as an export has it: format/,
    ],
  ])('an export %s is refused with code 2', async (_, files, sentence) => {
    const broken = await makeFolder()
    await mkdir(join(broken, 'share-1'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(broken, name), text)
    const data = { DATA_DIR: floe.dataDirectory }
    const { code, errors } = await runCommand('import', data, 'floe', broken)
    expect(code).toBe(2)
    expect(errors).toMatch(sentence)
  })

  test('a path that leads out of the folder is not followed', async () => {
    const hostile = await makeFolder()
    await writeFile(
      join(hostile, 'floe.export.json'),
      JSON.stringify({
        ...(JSON.parse(await readFile(join(folder, 'floe.export.json'), 'utf8')) as object),
        accounts: [],
        reverseShares: [],
      }),
    )
    const share = await readShare(folder, received)
    const files = share.files.map((file) => ({ ...file, path: '../../../../../etc/hostname' }))
    const id = 'leads-out'
    await writeFile(join(hostile, `${id}.json`), JSON.stringify({ ...share, id, files }))
    const data = { DATA_DIR: await makeFolder() }
    const { code, lines } = await runCommand('import', data, 'floe', hostile)
    expect(code).toBe(1)
    expect(lines).toContainEqual(expect.stringContaining('"sent.txt" has no bytes'))
  })
})

interface ExportedShare {
  files: { name: string; size: number; sha256: string; path: string }[]
}

async function readShare(folder: string, id: string): Promise<ExportedShare> {
  return JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')) as ExportedShare
}

/** Every file of it, but the time at which it was made. */
async function readExport(folder: string): Promise<Record<string, unknown>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ name, parentPath }) => {
        const path = join(parentPath, name)
        const bytes = await readFile(path)
        const content = path.endsWith('.json')
          ? {
              ...(JSON.parse(bytes.toString()) as object),
              ...(name.includes('.export') && { createdAt: '' }),
            }
          : sha256(bytes)
        return [path.slice(folder.length), content] as const
      }),
    ),
  )
}

async function expectHoliday(visitor: Client): Promise<void> {
  expect((await openShare(visitor, 'Holiday_2026', 'wrong')).status).toBe(403)
  expect((await openShare(visitor, 'Holiday_2026', 'share password')).status).toBe(200)
  const { body } = await visitor.send('GET', '/api/shares/Holiday_2026')
  for (const { id, name } of (body as { files: { id: string; name: string }[] }).files) {
    const { bytes } = await visitor.send('GET', `/api/shares/Holiday_2026/files/${id}`)
    expect(sha256(bytes)).toBe(sha256(contents[name as keyof typeof contents]))
  }
}
