import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type CommandLine, installCommandLine } from './world/cli.ts'
import { type Client, createClient } from './world/http-client.ts'
import { openShare } from './world/shares.ts'
import { startTlsFront } from './world/tls-front.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

interface SentShare {
  id: string
  url: string
  files: { name: string; size: number }[]
}

onOneArrangement('embedded', 'the command line', (floe) => {
  let cli: CommandLine
  let owner: Client
  let token: string

  beforeAll(async () => {
    cli = await installCommandLine()
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner))
    const login = await cli.run(['login', floe.url, '--token-stdin'], { input: `${token}\n` })
    expect(login).toMatchObject({ code: 0, stdout: '' })
  })
  afterAll(() => cli.remove())

  async function file(name: string, content: Buffer | string): Promise<string> {
    const path = join(cli.folder, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, content)
    return path
  }

  async function send(...args: string[]): Promise<SentShare> {
    const { code, stdout, stderr } = await cli.run(['send', ...args, '--json'])
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as SentShare
  }

  test('keeps its token in a file of its user alone, and tells who is signed in', async () => {
    const path = join(cli.folder, '.config/floe/config.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
    const { stdout } = await cli.run(['whoami', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ server: floe.url, storage: { leftBytes: null } })
    expect((await cli.run(['whoami'])).stdout).toMatch(/^\S+ at http:\S+\n$/)
  })

  test('prints the link alone, and a visitor gets the very file', async () => {
    const content = randomBytes(3_000_000)
    const path = await file('Grüße 世界.bin', content)
    const { code, stdout, stderr } = await cli.run(['send', path])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^http:\/\/\S+\/s\/\S+\n$/)
    const id = stdout.trim().split('/').at(-1) ?? ''
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const { files } = (await visitor.send('GET', `/api/shares/${id}`)).body as {
      files: { id: string; name: string }[]
    }
    expect(files.map(({ name }) => name)).toEqual(['Grüße 世界.bin'])
    const { bytes } = await visitor.send('GET', `/api/shares/${id}/files/${files[0]?.id}`)
    expect(sha256(bytes)).toBe(sha256(content))
  })

  test('sends a folder, and receives it as it was', async () => {
    const contents = new Map<string, Buffer>([['tree/empty', Buffer.alloc(0)]])
    for (let at = 0; at < 60; at += 1) {
      contents.set(`tree/deep ${at % 3}/${at}.bin`, randomBytes(at * 50_000))
    }
    for (const [name, content] of contents) await file(name, content)
    await symlink('/etc/passwd', join(cli.folder, 'tree/link'))
    const sent = await cli.run(['send', join(cli.folder, 'tree')])
    expect(sent.stderr).toBe('floe: tree/link is no file, and is left out.\n')
    const got = await cli.run(['get', sent.stdout.trim(), '-o', 'received', '--json'])
    expect(got.code, got.stderr).toBe(0)
    for (const [name, content] of contents) {
      const received = await readFile(join(cli.folder, 'received', name))
      expect(sha256(received), name).toBe(sha256(content))
    }
    const names = await readdir(join(cli.folder, 'received'), { recursive: true })
    expect(names.filter((name) => name.endsWith('.floe-part'))).toEqual([])
    expect(names).toHaveLength(contents.size + 4)
  })

  test('says before it sends anything that a path is too long for others to save', async () => {
    await file(`deep/${`${'x'.repeat(200)}/`.repeat(6)}end.bin`, Buffer.from('end'))
    for (const how of [[], ['--encrypt']]) {
      const sent = await cli.run(['send', ...how, join(cli.folder, 'deep')])
      expect(sent).toMatchObject({ code: 2, stdout: '' })
      expect(sent.stderr).toMatch(/^floe: The name of .*end\.bin is too long\.\n$/)
    }
  })

  test('sends a pipe of unknown length, and writes into one', async () => {
    const content = randomBytes(20_000_000)
    const sent = await cli.run(['send', '--name', 'data.tar'], { input: content })
    expect(sent.code, sent.stderr).toBe(0)
    const child = cli.start(['get', sent.stdout.trim(), '-o', '-'])
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(content))
    const empty = await cli.run(['send', '-n', 'empty', '--json', '-'], { input: '' })
    expect(JSON.parse(empty.stdout)).toMatchObject({ files: [{ name: 'empty', size: 0 }] })
  })

  test('terms are those that were given', async () => {
    const path = await file('terms.txt', 'terms')
    const secret = await file('secret', 'open sesame\nnot this\n')
    const sent = await send(
      ...[path, '--expires', '3d', '--views', '7', '--title', 'A title', '--note', 'A note'],
      ...['--password-file', secret],
    )
    const share = (await owner.send('GET', `/api/shares/${sent.id}/from-owner`)).body as {
      expiration: string
    }
    expect(share).toMatchObject({
      name: 'A title',
      description: 'A note',
      hasPassword: true,
      security: { maxViews: 7, passwordProtected: true },
    })
    const days = (Date.parse(share.expiration) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(2.9)
    expect(days).toBeLessThan(3.1)
    expect((await openShare(createClient(floe.url), sent.id, 'open sesame')).status).toBe(200)
  })

  test('a password opens a share by prompt, file and environment, never by an argument', async () => {
    const path = await file('secret.txt', 'secret')
    const { url } = JSON.parse(
      (await cli.run(['send', path, '--json', '-p', '-'], { input: 'sesame\n' })).stdout,
    ) as SentShare
    const stranger = await installCommandLine()
    try {
      const get = (args: string[], input = '', env = {}) =>
        stranger.run(['get', url, '--force', ...args], { input, env })
      expect(await get([])).toMatchObject({ code: 2, stdout: '' })
      expect(await get(['-p', '-'], 'wrong\n')).toMatchObject({ code: 4 })
      expect(await get(['-p', 'sesame'])).toMatchObject({ code: 2 })
      expect(await get(['-p', '-'], 'sesame\n')).toMatchObject({ code: 0 })
      expect(await get([], '', { FLOE_PASSWORD: 'sesame' })).toMatchObject({ code: 0 })
      expect(readFileSync(join(stranger.folder, 'secret.txt'), 'utf8')).toBe('secret')
    } finally {
      await stranger.remove()
    }
  })

  test('recipients whom nobody mails are refused before anything is sent', async () => {
    const path = await file('offer.txt', 'offer')
    expect(await cli.run(['send', path, '--to', 'ann@example.org'])).toMatchObject({
      ...{ code: 4, stdout: '' },
      stderr: expect.stringContaining('This site sends no emails to recipients'),
    })
  })

  test('an empty password is refused, as the share would have none', async () => {
    const path = await file('secret.txt', 'secret')
    const empty = await file('empty', '\n')
    const refusal = { code: 2, stdout: '', stderr: expect.stringContaining('password is empty') }
    expect(await cli.run(['send', path, '--password-file', empty])).toMatchObject(refusal)
    expect(await cli.run(['send', path, '-p', '-'], { input: '\n' })).toMatchObject(refusal)
  })

  test('the token of the environment comes before the sign-in, at its own site', async () => {
    const { url } = await send(
      await file('mine.txt', 'mine'),
      '--password-file',
      await file('pw', 'sesame'),
    )
    const get = (program: CommandLine, ofToken: string) =>
      program.run(['get', url, '--force'], {
        env: { FLOE_SERVER: floe.url, FLOE_TOKEN: ofToken },
      })
    const other = await makeToken(await signUp(floe))
    expect(await get(cli, other.token)).toMatchObject({ code: 2, stdout: '' })
    const pipeline = await installCommandLine()
    try {
      expect(await get(pipeline, token)).toMatchObject({ code: 0 })
    } finally {
      await pipeline.remove()
    }
  })

  test('a file that is sent twice at once is two shares, each on its own terms', async () => {
    const path = await file('at-once.bin', Buffer.alloc(200_000_000))
    const start = (title: string) =>
      cli.run(['send', path, '--json', '--title', title], {
        env: { HOME: join(cli.folder, title), FLOE_SERVER: floe.url, FLOE_TOKEN: token },
      })
    const first = start('first')
    // Its draft is there by now, for others to go on with.
    await expect
      .poll(async () => (await owner.send('GET', '/api/uploads')).body, { timeout: 20_000 })
      .not.toEqual([])
    const outcomes = await Promise.all([first, start('second')])
    for (const { code, stderr } of outcomes) expect(code, stderr).toBe(0)
    const names = outcomes.map(async ({ stdout }) => {
      const { id } = JSON.parse(stdout) as SentShare
      const { body } = await owner.send('GET', `/api/shares/${id}`)
      return (body as { name: string }).name
    })
    expect(await Promise.all(names)).toEqual(['first', 'second'])
  })

  test('lists, extends, opens and deletes shares', async () => {
    const { id, url } = await send(await file('listed.txt', 'listed'), '--title', 'Listed')
    const list = await cli.run(['ls'])
    expect(list.stdout).toMatch(new RegExp(`^${id} .* Listed$`, 'm'))
    const rows = JSON.parse((await cli.run(['ls', '--json'])).stdout) as { id: string }[]
    expect(rows.find((row) => row.id === id)).toMatchObject({ url, name: 'Listed', files: 1 })
    expect((await cli.run(['open', id])).stdout).toBe(`${url}\n`)
    const extended = await cli.run(['extend', id, '90d', '--json'])
    const { expiration } = JSON.parse(extended.stdout) as { expiration: string }
    expect((Date.parse(expiration) - Date.now()) / 86_400_000).toBeGreaterThan(89)
    expect(await cli.run(['extend', url, 'never'])).toMatchObject({ code: 0, stdout: 'never\n' })
    expect(await cli.run(['rm', id])).toMatchObject({ code: 0, stdout: '' })
    expect(await cli.run(['get', url])).toMatchObject({ code: 3 })
  })

  test('asks others for files', async () => {
    const asked = await cli.run(['request', 'Wedding photos', '--size', '2GB', '--qr'])
    expect(asked.code, asked.stderr).toBe(0)
    expect(asked.stdout).toMatch(/^http:\/\/\S+\/upload\/\S+\n$/)
    expect(asked.stderr).toContain('█')
    const requests = (await owner.send('GET', '/api/reverseShares')).body as { name: string }[]
    expect(requests).toContainEqual(
      expect.objectContaining({ name: 'Wedding photos', maxShareSize: '2000000000' }),
    )
  })

  test('a file that is there is not received again, and another one not replaced', async () => {
    const { url } = await send(await file('there.txt', 'there'))
    const get = (...args: string[]) => cli.run(['get', url, '-o', 'once', ...args])
    expect((await get()).code).toBe(0)
    expect((await get()).code).toBe(0)
    await file('once/there.txt', 'mine')
    expect(await get()).toMatchObject({ code: 4, stdout: '' })
    expect(readFileSync(join(cli.folder, 'once/there.txt'), 'utf8')).toBe('mine')
    expect((await get('--force')).code).toBe(0)
    expect(readFileSync(join(cli.folder, 'once/there.txt'), 'utf8')).toBe('there')
  })

  test.each([
    [['send', 'not-there'], 3],
    [['send', '--no-such-option'], 2],
    [['nonsense'], 2],
    [['get', 'not a link'], 2],
    [['ls', 'extra'], 2],
    [['open', 'one', 'two'], 2],
    [['request', 'Our', 'trip'], 2],
    [['send', '--name', 'x', 'floe.mjs'], 2],
    [['get', 'nosuchshare'], 3],
    [['rm', 'nosuchshare'], 3],
    [['extend', 'nosuchshare', 'soon'], 2],
    [['whoami', '--server', 'http://127.0.0.1:9'], 4],
  ])('%j ends with %i, one line of error and no result', async (args, code) => {
    const outcome = await cli.run(args, { input: '' })
    expect(outcome).toMatchObject({ code, stdout: '' })
    expect(outcome.stderr).toMatch(/^floe: [^\n]+\n$/)
    const json = await cli.run([...args, '--json'], { input: '' })
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { exitCode: code } })
  })

  test('what completes commands is not taken for JSON', async () => {
    expect((await cli.run(['completion', 'bash'])).stdout).toContain(
      'complete -o default -F _floe floe',
    )
    expect(await cli.run(['completion', 'bash', '--json'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('sends and receives by TLS, from servers that an authority vouches for alone', async () => {
    const front = await startTlsFront(floe.url)
    try {
      const content = randomBytes(20_000_000)
      const path = await file('by-tls.bin', content)
      const env = { FLOE_SERVER: front.url, FLOE_TOKEN: token }
      const trusting = { env: { ...env, NODE_EXTRA_CA_CERTS: front.certificatePath } }
      const sent = await cli.run(['send', path], trusting)
      expect(sent).toMatchObject({ code: 0, stderr: '' })
      const id = sent.stdout.trim().split('/').at(-1) ?? ''
      expect(await cli.run(['get', id, '-o', 'by tls'], trusting)).toMatchObject({ code: 0 })
      const received = await readFile(join(cli.folder, 'by tls/by-tls.bin'))
      expect(sha256(received)).toBe(sha256(content))
      const strange = await cli.run(['send', path], { env })
      expect(strange).toMatchObject({ code: 5, stdout: '' })
    } finally {
      await front.stop()
    }
  })

  test('tells a server that is away from one that refuses', async () => {
    const env = { FLOE_SERVER: 'http://127.0.0.1:9', FLOE_TOKEN: token }
    expect(await cli.run(['whoami'], { env })).toMatchObject({ code: 5, stdout: '' })
    const wrong = {
      FLOE_SERVER: floe.url,
      FLOE_TOKEN: token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    }
    expect(await cli.run(['whoami'], { env: wrong })).toMatchObject({ code: 4, stdout: '' })
  })

  test('prints no colors and no progress into a pipe', async () => {
    const { stdout, stderr } = await cli.run([
      'send',
      await file('plain.bin', randomBytes(2_000_000)),
    ])
    expect(stdout + stderr).not.toContain('\u001b')
    expect(stderr).toBe('')
  })

  test('no secret is among the arguments of a process or in its state', async () => {
    const { stdout } = await cli.run(['--help'])
    expect(stdout).toContain('floe COMMAND')
    const path = await file('kept.bin', randomBytes(2_000_000))
    await chmod(path, 0o600)
    const child = cli.start(['send', path, '--password', '-'])
    child.stdin.end('a very secret word\n')
    const commandLine = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
    expect(commandLine).not.toContain('secret word')
    expect(commandLine).not.toContain(token)
    for await (const _ of child.stdout);
    const state = join(cli.folder, '.local/state/floe')
    for (const entry of await readdir(state, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const kept = join(entry.parentPath, entry.name)
      expect(readFileSync(kept, 'utf8')).not.toContain('secret word')
      expect((await stat(kept)).mode & 0o777).toBe(0o600)
    }
  })
})
