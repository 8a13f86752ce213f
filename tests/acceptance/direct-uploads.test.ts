import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { isFullRun, queryDataDirectory, startSmtpCatcher } from '@floe/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newAccount, signInAsAdmin, signUp } from './world/accounts.ts'
import { createScript, makeToken, type TokenInput } from './world/api-tokens.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { changeSettings, sendMailsTo, sendNoMails } from './world/mail.ts'
import { openShare } from './world/shares.ts'

const run = promisify(execFile)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Sparse, so that it is no file of that size on the disk of the sender. */
const VAST_BYTES = isFullRun ? 5 * 1024 ** 3 : 70_000_000

interface Told {
  id: string
  url: string
  files: { id: string; name: string; size: number; sha256: string | null }[]
  expiration: string
}

onBothArrangements('curl -T', (floe) => {
  let folder: string
  let owner: Client
  let token: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-up-'))
    owner = await signUp(floe)
    ;({ token } = await makeToken(owner, { scopes: ['shares:write'] }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function file(name: string, content: Buffer | string): Promise<string> {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }

  async function curl(...args: string[]): Promise<string> {
    const { stdout } = await run('curl', ['-sS', '-H', `Authorization: Bearer ${token}`, ...args])
    return stdout
  }

  const put = (path: string, name: string, ...args: string[]) =>
    curl('-T', path, `${floe.url}/up/${name}`, ...args)

  const sharesOf = async (client: Client) =>
    ((await client.send('GET', '/api/shares')).body as { id: string }[]).map(({ id }) => id)

  /** The share that a link leads to, with its files by name. */
  async function readLink(url: string, password?: string) {
    const id = /\/s\/([^/]+)$/.exec(url)?.[1] ?? ''
    const visitor = createClient(floe.url)
    const opened = await openShare(visitor, id, password)
    const share = (await visitor.send('GET', `/api/shares/${id}`)).body as {
      name?: string
      description?: string
      files: { id: string; name: string; size: string }[]
    }
    const read = async (fileId: string) =>
      (await visitor.send('GET', `/api/shares/${id}/files/${fileId}`)).bytes
    return { id, status: opened.status, share, read }
  }

  test.each([
    ['one byte', Buffer.from('x')],
    ['nothing', Buffer.alloc(0)],
    ['more than one piece', randomBytes(3_000_000)],
  ])('of %s tells the link of a share with exactly that', async (_, content) => {
    const path = await file('a.bin', content)
    const output = await curl('-T', path, `${floe.url}/up/`)
    expect(output).toMatch(/^http.*\/s\/[A-Za-z0-9]{8}\n$/)
    const { share, read } = await readLink(output.trim())
    expect(share.files).toMatchObject([{ name: 'a.bin', size: String(content.length) }])
    expect(sha256(await read(share.files[0]?.id ?? ''))).toBe(sha256(content))
  })

  test.each([
    ['a pipe', randomBytes(2_000_000)],
    ['an empty pipe', Buffer.alloc(0)],
  ])('of %s takes what comes until it ends', async (_, content) => {
    const args = ['-sS', '-H', `Authorization: Bearer ${token}`, '-T', '-']
    const child = spawn('curl', [...args, `${floe.url}/up/piped.tar`])
    child.stdin.end(content)
    const { share, read } = await readLink((await text(child.stdout)).trim())
    expect(share.files).toMatchObject([{ name: 'piped.tar' }])
    expect(sha256(await read(share.files[0]?.id ?? ''))).toBe(sha256(content))
  })

  test('keeps names as they are, whatever they are made of', async () => {
    const path = await file('plain', 'x')
    const name = 'Ünïcode 🏖 100%.txt'
    const { share } = await readLink((await put(path, encodeURIComponent(name))).trim())
    expect(share.files.map((one) => one.name)).toEqual([name])
  })

  test('says all of a share by headers', async () => {
    const path = await file('plans.txt', 'plans')
    const output = await put(
      path,
      '',
      ...['-H', 'X-Expires: 3-days', '-H', 'X-Password: open sesame', '-H', 'X-Max-Views: 1'],
      ...[
        '-H',
        'X-Name: Pläne',
        '-H',
        'X-Description: für alle',
        '-H',
        `X-Share-Id: ${floe.arrangement}-plans`,
      ],
    )
    expect(output).toMatch(new RegExp(`/s/${floe.arrangement}-plans\n$`))
    expect((await readLink(output.trim(), 'wrong')).status).toBe(403)
    const { status, share } = await readLink(output.trim(), 'open sesame')
    expect(status).toBe(200)
    expect(share).toMatchObject({ name: 'Pläne', description: 'für alle' })
    expect((await readLink(output.trim(), 'open sesame')).status).toBe(403)
  })

  test.each(['7-days', '2031-02-03', '2031-02-03T04:05:06Z', 'never'])(
    'ends when X-Expires says: %s',
    async (expires) => {
      const path = await file('a.txt', 'a')
      const headers = ['-H', `X-Expires: ${expires}`, '-H', 'Accept: application/json']
      const told: Told = JSON.parse(await put(path, '', ...headers))
      const end = Date.parse(told.expiration)
      if (expires === 'never') expect(end).toBe(0)
      else if (expires === '7-days') expect((end - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
      else expect(told.expiration).toMatch(/^2031-02-03/)
    },
  )

  test('tells the rest as JSON', async () => {
    const path = await file('a.txt', 'a')
    const output = await put(path, '', '-H', 'Accept: application/json', '-i')
    // Ahead of it comes 100 Continue.
    const [head = '', body = ''] = output.split('\r\n\r\n').slice(-2)
    const told: Told = JSON.parse(body)
    expect(head).toContain(`Location: ${told.url}`)
    expect(told.url.endsWith(`/s/${told.id}`)).toBe(true)
    expect(told.files).toEqual([
      { id: expect.any(String), name: 'a.txt', size: 1, sha256: sha256(Buffer.from('a')) },
    ])
    expect((Date.parse(told.expiration) - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
  })

  test('sends the link to whom X-Recipients names', async () => {
    const catcher = await startSmtpCatcher()
    const admin = await signInAsAdmin(floe)
    const recipients = ['ann', 'bob'].map((name) => `${name}@${floe.arrangement}.test`)
    try {
      await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: true }])
      await sendMailsTo(catcher, admin)
      const path = await file('plans.txt', 'plans')
      const link = await put(path, '', '-H', `X-Recipients: ${recipients.join(', ')}`)
      for (const to of recipients) {
        const [message] = await catcher.waitForMessages(1, { to })
        expect(message?.text).toContain(link.trim())
      }
    } finally {
      await changeSettings(admin, [{ key: 'email.enableShareEmailRecipients', value: false }])
      await sendNoMails(admin)
      await catcher.stop()
    }
  })

  test('by POST does the same', async () => {
    const path = await file('a.txt', 'a')
    const output = await curl('--data-binary', `@${path}`, `${floe.url}/up/by-post.txt`)
    const { share } = await readLink(output.trim())
    expect(share.files).toMatchObject([{ name: 'by-post.txt', size: '1' }])
  })

  test('four at once are four shares', async () => {
    const contents = Array.from({ length: 4 }, () => randomBytes(1_500_000))
    const paths = await Promise.all(contents.map((content, index) => file(`${index}`, content)))
    const links = await Promise.all(paths.map((path) => put(path, '')))
    expect(new Set(links).size).toBe(4)
    for (const [index, link] of links.entries()) {
      const { share, read } = await readLink(link.trim())
      expect(sha256(await read(share.files[0]?.id ?? ''))).toBe(
        sha256(contents[index] ?? Buffer.alloc(0)),
      )
    }
  })

  test(`of ${VAST_BYTES} bytes comes whole`, { timeout: 600_000 }, async () => {
    const path = await file('vast', '')
    await truncate(path, VAST_BYTES)
    const { share } = await readLink((await put(path, '')).trim())
    expect(share.files).toMatchObject([{ name: 'vast', size: String(VAST_BYTES) }])
    await rm(path)
  })

  const invalid = `floe_${'x'.repeat(36)}`
  const expired = async (mine: Client) => {
    const { id, token: given } = await makeToken(mine)
    await queryDataDirectory(
      floe.dataDirectory,
      `update api_tokens set expires_at = now() - interval '1 second' where id = '${id}'`,
    )
    return given
  }
  const revoked = async (mine: Client) => {
    const { id, token: given } = await makeToken(mine)
    // Known to every process that is asked, before it is revoked.
    for (let use = 0; use < 4; use += 1) {
      expect((await createScript(floe.url, given).send('GET', '/api/shares')).status).toBe(200)
    }
    expect((await mine.send('DELETE', `/api/tokens/${id}`)).status).toBe(204)
    return given
  }
  const notValid = /^The token is not valid, or not from here\n$/
  type Given = TokenInput | string | ((mine: Client) => Promise<string>)
  const refusals: [string, Given, string[], number, RegExp][] = [
    ['no token at all', '', [], 403, /^Forbidden resource\n$/],
    ['a wrong token', invalid, [], 401, notValid],
    ['a bearer that is no token', 'bogus', [], 401, notValid],
    ['a bearer without anything', ' ', [], 401, notValid],
    ['an expired token', expired, [], 401, notValid],
    ['a revoked token', revoked, [], 401, notValid],
    ['too narrow a token', { scopes: ['shares:read'] }, [], 403, /lacks the scope shares:write\n$/],
    ['an end that is none', {}, ['X-Expires: soon'], 400, /^x-expires: .*\n$/],
    [
      'an end in the past',
      {},
      ['X-Expires: 2001-02-03'],
      400,
      /^X-Expires: must be in the future\n$/,
    ],
    ['a password too short', {}, ['X-Password: x'], 400, /^x-password: .*\n$/],
    ['views that are none', {}, ['X-Max-Views: many'], 400, /^x-max-views: .*\n$/],
    ['recipients that are none', {}, ['X-Recipients: nobody'], 400, /^x-recipients.*\n$/],
    ['more than the token may share', { maxShareSize: 10 }, [], 413, /^Max share size exceeded\n$/],
    ['longer than the token may', { maxExpiration: '1-day' }, ['X-Expires: 2-days'], 400, /^.+\n$/],
  ]
  async function tokenOf(mine: Client, given: Given): Promise<string> {
    if (typeof given === 'string') return given
    return typeof given === 'function' ? given(mine) : (await makeToken(mine, given)).token
  }
  test.each(refusals)(
    'is refused in one line for %s, and leaves nothing',
    async (_, given, headers, status, line) => {
      const path = await file('a.txt', 'more than ten bytes')
      const mine = await signUp(floe)
      const used = await tokenOf(mine, given)
      const { stdout } = await run('curl', [
        ...['-sS', '-T', path, `${floe.url}/up/`, '-w', '%{http_code}'],
        ...(used === '' ? [] : ['-H', `Authorization: Bearer ${used}`]),
        ...headers.flatMap((header) => ['-H', header]),
      ])
      expect(Number(stdout.slice(-3))).toBe(status)
      expect(stdout.slice(0, -3)).toMatch(line)
      expect(await sharesOf(mine)).toEqual([])
      expect((await mine.send('GET', '/api/users/me/storage')).body).toMatchObject({ usedBytes: 0 })
    },
  )

  test.each([
    ['before it', ['-T'], /^Not enough storage is left for this account\n$/],
    ['during it', ['-H', 'Transfer-Encoding: chunked', '-T'], /^Not enough storage .*\n$/],
  ])('over the quota is refused %s, and leaves nothing', async (_, how, line) => {
    const account = newAccount()
    const mine = await signUp(floe, account)
    const { id } = (await mine.send('GET', '/api/users/me')).body as { id: string }
    const admin = await signInAsAdmin(floe)
    await admin.send('PATCH', `/api/users/${id}`, { json: { storageLimit: 1_000_000 } })
    const { token: own } = await makeToken(mine, { scopes: ['shares:write'] })
    const path = await file('large.bin', randomBytes(1_500_000))
    const { stdout } = await run('curl', [
      ...['-sS', '-H', `Authorization: Bearer ${own}`, ...how, path, `${floe.url}/up/`],
    ])
    expect(stdout).toMatch(line)
    expect(await sharesOf(mine)).toEqual([])
    expect((await mine.send('GET', '/api/users/me/storage')).body).toMatchObject({ usedBytes: 0 })
  })

  test('that is cut in the middle leaves nothing', async () => {
    const mine = await signUp(floe)
    const { token: own } = await makeToken(mine, { scopes: ['shares:write'] })
    const { hostname, port } = new URL(floe.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `PUT /up/half.bin HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${own}\r\n` +
        `Content-Length: 2000000\r\n\r\n`,
    )
    socket.write(randomBytes(1_000_000))
    const usedBytes = async () =>
      ((await mine.send('GET', '/api/users/me/storage')).body as { usedBytes: number }).usedBytes
    await vi.waitFor(async () => expect(await usedBytes()).toBe(2_000_000), 10_000)
    socket.destroy()
    await vi.waitFor(async () => expect(await usedBytes()).toBe(0), 10_000)
    expect(await sharesOf(mine)).toEqual([])
  })

  test('a token as the password of Basic does, as curl -u sends it', async () => {
    const path = await file('a.txt', 'a')
    const args = ['-sS', '-u', `:${token}`, '-T', path, `${floe.url}/up/`]
    expect((await run('curl', args)).stdout).toMatch(/\/s\//)
    const script = createScript(floe.url, token)
    expect((await script.send('GET', '/api/shares')).status).toBe(403)
  })
})
