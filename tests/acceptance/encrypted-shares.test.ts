import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ShareActivity } from '@floe/contracts'
import { createFileId, createShareKey, linkWithKey, MANIFEST_NAME } from '@floe/encryption'
import { startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type CommandLine, installCommandLine, type Outcome } from './world/cli.ts'
import { craftEncrypted, sealFile, sealManifest } from './world/encrypted.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings, sendMailsTo, sendNoMails } from './world/mail.ts'
import { openShare } from './world/shares.ts'
import { startWiretap, type Wiretap } from './world/wiretap.ts'

interface StoredFile {
  id: string
  name: string
  size: string
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

onOneArrangement('split', 'an encrypted share', (floe) => {
  let cli: CommandLine
  let owner: Client

  beforeAll(async () => {
    cli = await installCommandLine()
    owner = await signUp(floe)
    const { token } = await makeToken(owner)
    await cli.run(['login', floe.url, '--token-stdin'], { input: token })
  })
  afterAll(() => cli.remove())

  async function put(name: string, content: Buffer): Promise<string> {
    const path = join(cli.folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
    return path
  }

  async function send(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await cli.run(['send', '--encrypt', ...args])
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }

  /** What a visitor sees of it. */
  async function look(link: string): Promise<{ files: StoredFile[]; visitor: Client; id: string }> {
    const id = new URL(link).pathname.split('/').at(-1) ?? ''
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const { body } = await visitor.send('GET', `/api/shares/${id}`)
    expect(body).toMatchObject({ encrypted: true })
    return { files: (body as { files: StoredFile[] }).files, visitor, id }
  }

  const craft = async (files: Record<string, Uint8Array>) =>
    floe.url + (await craftEncrypted(owner, files))

  async function refuse(link: string, message: string | RegExp, code = 1): Promise<void> {
    const folder = `refused-${randomBytes(4).toString('hex')}`
    const got = await cli.run(['get', link, '-o', folder])
    expect(got.stderr).toMatch(message)
    expect(got.code).toBe(code)
    const names = await readdir(join(cli.folder, folder)).catch(() => [])
    expect(names.filter((name) => !name.endsWith('.floe-part'))).toEqual([])
  }

  test('comes back with its folders and names, byte for byte', async () => {
    const contents = new Map([
      ['reise/leer', Buffer.alloc(0)],
      ['reise/süß 世界.txt', Buffer.from('words')],
      ['reise/one segment', randomBytes(2 ** 18 - 32)],
      ['reise/a byte more', randomBytes(2 ** 18 - 31)],
      ['reise/tief/große.bin', randomBytes(40_000_000)],
    ])
    for (const [name, content] of contents) await put(name, content)
    const link = await send(join(cli.folder, 'reise'))
    expect(link).toMatch(/\/s\/[^#?]+#k=[A-Za-z0-9_-]{43}$/)
    const got = await cli.run(['get', link, '-o', 'back', '--json'])
    expect(got.code, got.stderr).toBe(0)
    for (const [name, content] of contents) {
      expect(sha256(await readFile(join(cli.folder, 'back', name))), name).toBe(sha256(content))
    }
    const { files } = JSON.parse(got.stdout) as { files: { verified: boolean }[] }
    expect(files.every(({ verified }) => verified)).toBe(true)
  })

  test('shows its server neither names nor contents, nor the key', async () => {
    const words = Buffer.from('meet me at the old harbour at nine. '.repeat(1000))
    const link = await send(await put('diary of Ann.txt', words))
    const { files, visitor, id } = await look(link)
    expect(files.map(({ name }) => name)).toContain(MANIFEST_NAME)
    const stored = [JSON.stringify(files)]
    for (const file of files) {
      expect(file.name).toMatch(/^(?:manifest|[A-Za-z0-9_-]{22})$/)
      const { bytes } = await visitor.send('GET', `/api/shares/${id}/files/${file.id}`)
      expect(bytes).toHaveLength(Number(file.size))
      stored.push(bytes.toString('latin1'))
    }
    const log = await readFile(floe.logFile, 'utf8')
    const key = new URL(link).hash.slice('#k='.length)
    for (const secret of ['diary', 'harbour', key]) {
      for (const text of [...stored, log]) expect(text.includes(secret)).toBe(false)
    }
  })

  test('a file that is refused is named as its sender knows it', async () => {
    const admin = await signInAsAdmin(floe)
    const path = await put('named/report.txt', randomBytes(60_000))
    await changeSettings(admin, [{ key: 'share.maxSize', value: 50_000 }])
    try {
      const sent = await cli.run(['send', '--encrypt', join(cli.folder, 'named')])
      expect(sent).toMatchObject({ code: 4, stdout: '' })
      expect(sent.stderr).toContain(`\n${path}: share_too_large\n`)
    } finally {
      await changeSettings(admin, [{ key: 'share.maxSize', value: '' }])
    }
  })

  test('is opened by its whole link alone', async () => {
    const link = await send(await put('a.txt', Buffer.from('secret')))
    await refuse(link.replace(/#.*/, ''), /lacks its key/, 4)
    await refuse(link.slice(0, -1), /lacks its key/, 4)
    const other = linkWithKey(link, createShareKey())
    await refuse(other, /The key in the link is not that of this share/, 4)
  })

  test('is not replaced by files as they are, whose server calls nothing encrypted', async () => {
    const sent = await cli.run(['send', await put('other.txt', Buffer.from('not from the sender'))])
    expect(sent.code, sent.stderr).toBe(0)
    const plain = sent.stdout.trim()
    const message = /this share is not encrypted: it may not be from its sender/
    await refuse(linkWithKey(plain, createShareKey()), message, 4)
    await refuse(`${plain}#k=short`, message, 4)
  })

  test('goes through pipes, by either name of the option', async () => {
    const content = randomBytes(20_000_000)
    const sent = await cli.run(['send', '--e2e', '--name', 'data.tar'], { input: content })
    expect(sent.code, sent.stderr).toBe(0)
    const child = cli.start(['get', sent.stdout.trim(), '-o', '-'])
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(content))
    const empty = await cli.run(['send', '--encrypt', '-n', 'empty', '-'], { input: '' })
    const got = await cli.run(['get', empty.stdout.trim(), '-o', 'pipes', '--json'])
    expect(JSON.parse(got.stdout)).toMatchObject({ files: [{ size: 0, verified: true }] })
  })

  test('counts a download of each file that is received, and none of what names them', async () => {
    const link = await send(await put('counted.txt', Buffer.from('secret')))
    const stranger = await installCommandLine()
    expect((await stranger.run(['get', link, '-o', 'counted'])).code).toBe(0)
    await stranger.remove()
    const id = new URL(link).pathname.split('/').at(-1) ?? ''
    const countsOf = async () => {
      const { body } = await owner.send('GET', `/api/shares/${id}/receipts`)
      return (body as ShareActivity).files.map(({ total }) => total).sort()
    }
    await expect.poll(countsOf).toEqual([0, 1])
  })

  test('is mailed by its server without its key, which the sender is told', async () => {
    const catcher = await startSmtpCatcher()
    const admin = await signInAsAdmin(floe)
    const to = 'ann@encrypted.test'
    try {
      await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: true }])
      await sendMailsTo(catcher, admin)
      const path = await put('a.txt', Buffer.from('secret'))
      const mailed = await cli.run(['send', '--encrypt', '--to', to, path])
      expect(mailed.stderr).toContain('The emails lack the key')
      const link = new URL(mailed.stdout.trim())
      const [message] = await catcher.waitForMessages(1, { to })
      expect(message?.text).toContain(link.pathname)
      expect(message?.text).toContain('The link in this message lacks its key.')
      expect(message?.source).not.toContain(link.hash.slice('#k='.length))
    } finally {
      await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: false }])
      await sendNoMails(admin)
      await catcher.stop()
    }
  })

  test('with swapped, altered, cut or missing objects gives nothing of them', async () => {
    const key = createShareKey()
    const plain = { 'a.txt': Buffer.from('one'), 'b.txt': Buffer.from('two') }
    const ids = [createFileId(), createFileId()]
    const [a = '', b = ''] = ids
    const [one, two] = [
      await sealFile(key, a, plain['a.txt']),
      await sealFile(key, b, plain['b.txt']),
    ]
    const manifest = await sealManifest(key, plain, ids)
    const changed = Buffer.from(one)
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
    const link = async (files: Record<string, Uint8Array>) => linkWithKey(await craft(files), key)
    const whole = await link({ [a]: one, [b]: two, manifest })
    expect((await cli.run(['get', whole, '-o', 'crafted'])).code).toBe(0)
    await refuse(await link({ [a]: two, [b]: one, manifest }), /damaged bytes in/)
    await refuse(await link({ [a]: changed, [b]: changed, manifest }), /damaged bytes in/)
    const short = one.subarray(0, -1)
    await refuse(await link({ [a]: short, [b]: short, manifest }), /damaged bytes in/)
    await refuse(await link({ [a]: one, manifest }), /lacks b\.txt/)
    await refuse(await link({ [a]: one, [b]: two }), /has no list of its files/)
    const cut = manifest.slice(0, -1)
    await refuse(
      await link({ [a]: one, [b]: two, manifest: cut }),
      /list of files that cannot be read/,
    )
  })

  test('with names that lead out of their folder stays inside of it', async () => {
    const key = createShareKey()
    const id = createFileId()
    const text = Buffer.from('out')
    const link = linkWithKey(
      await craft({
        [id]: await sealFile(key, id, text),
        manifest: await sealManifest(key, { '../../escaped.txt': text }, [id]),
      }),
      key,
    )
    const got = await cli.run(['get', link, '-o', 'inside'])
    expect(got.code, got.stderr).toBe(0)
    expect(await readdir(join(cli.folder, 'inside'), { recursive: true })).toEqual([
      '__',
      '__/__',
      '__/__/escaped.txt',
    ])
  })
})

onOneArrangement('split', 'an encrypted share with a password', (floe) => {
  const PASSWORD = 'pâte à choux, 3 eggs'
  const words = Buffer.from('meet me at the old harbour')
  let wire: Wiretap
  let owner: Client
  let sender: CommandLine
  /** Of somebody without an account: the server asks for a password before it gives anything. */
  let stranger: CommandLine
  let link: string

  beforeAll(async () => {
    wire = await startWiretap(floe.url)
    owner = await signUp(floe)
    ;[sender, stranger] = await Promise.all([installCommandLine(), installCommandLine()])
    const { token } = await makeToken(owner)
    await sender.run(['login', wire.url, '--token-stdin'], { input: token })
    await writeFile(join(sender.folder, 'diary.txt'), words)
    await writeFile(join(sender.folder, 'password'), `${PASSWORD}\n`)
    link = await send('diary.txt')
  })
  afterAll(async () => {
    await Promise.all([sender.remove(), stranger.remove(), wire.close()])
  })

  async function send(...args: string[]): Promise<string> {
    const locked = ['send', '--encrypt', '--password-file', 'password', ...args]
    const { code, stdout, stderr } = await sender.run(locked, { input: words })
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }

  async function get(cli: CommandLine, from: string, password: string): Promise<Outcome> {
    const folder = `got-${randomBytes(4).toString('hex')}`
    const args = ['get', from, '-o', folder, '--json']
    return cli.run(args, { env: { FLOE_PASSWORD: password } })
  }

  async function expectWords(outcome: Outcome): Promise<void> {
    expect(outcome.code, outcome.stderr).toBe(0)
    const { files } = JSON.parse(outcome.stdout) as { files: { path: string }[] }
    expect(await readFile(files[0]?.path ?? '')).toEqual(words)
  }

  test('is opened by its link and the password together, by its owner and by others', async () => {
    expect(link).toMatch(/\/s\/[^#?]+#k=[A-Za-z0-9_-]{43}&p=1$/)
    await expectWords(await get(sender, link, PASSWORD))
    await expectWords(await get(stranger, link, PASSWORD))
    await expectWords(await get(stranger, await send('--name', 'words.txt', '-'), PASSWORD))
  })

  test('gives nothing to who has another password, or the password and another key', async () => {
    const wrong = { code: 4, stderr: expect.stringMatching(/Invalid password/) }
    expect(await get(stranger, link, 'another')).toMatchObject(wrong)
    // To whom the server gives the ciphertexts.
    expect(await get(sender, link, 'another')).toMatchObject(wrong)
    const other = linkWithKey(link, createShareKey(), { hasPassword: true })
    expect(await get(stranger, other, PASSWORD)).toMatchObject(wrong)
    expect(await get(sender, other, PASSWORD)).toMatchObject(wrong)
    expect(await get(sender, link.replace('&p=1', ''), PASSWORD)).toMatchObject({ code: 4 })
  })

  test('tells its server neither the password nor the key, also where the link is cut', async () => {
    await expectWords(await get(stranger, link.replace('&p=1', ''), PASSWORD))
    const keyless = await get(stranger, link.replace(/#.*/, ''), PASSWORD)
    expect(keyless).toMatchObject({ code: 4, stderr: expect.stringContaining('lacks its key') })
    const heard = wire.heard()
    const id = new URL(link).pathname.split('/').at(-1) ?? ''
    expect(heard.includes(`/api/shares/${id}/token`)).toBe(true)
    const log = await readFile(floe.logFile)
    const [, key = ''] = /#k=([^&]+)/.exec(link) ?? []
    for (const secret of [PASSWORD, JSON.stringify(PASSWORD).slice(1, -1), key, 'harbour']) {
      for (const text of [heard, log]) expect(text.includes(secret)).toBe(false)
    }
  })

  test('asks for no password where no scripts run, as the server would be told it', async () => {
    const { pathname } = new URL(link)
    const { text } = await createClient(floe.url).send('GET', pathname.replace('/s/', '/share/'))
    const plain = (text.match(/<noscript[^]*?<\/noscript>/g) ?? []).join('')
    expect(plain).toContain('floe get LINK')
    expect(plain).not.toContain('<form')
  })

  test('keeps the password it was sent with, while its owner changes the rest', async () => {
    const id = new URL(link).pathname.split('/').at(-1) ?? ''
    const change = (json: object) => owner.send('PATCH', `/api/shares/${id}`, { json })
    for (const security of [{ password: 'another' }, { removePassword: true }]) {
      const refused = await change({ security })
      expect(refused).toMatchObject({ status: 409, body: { code: 'share_encrypted' } })
    }
    expect((await change({ name: 'Trip', security: { maxViews: 9 } })).status).toBe(200)
    await expectWords(await get(stranger, link, PASSWORD))
  })
})
