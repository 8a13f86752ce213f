import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type CommandLine, installCommandLine, type Outcome } from './world/cli.ts'
import { changeSettings } from './world/mail.ts'

/** A proxy that refuses the first request for some path, and lets all others through. */
async function startProxy(target: string, path: RegExp, refuse: (res: ServerResponse) => void) {
  let isRefused = false
  const server = createServer((req, res) => {
    if (!isRefused && path.test(req.url ?? '')) {
      isRefused = true
      return refuse(res)
    }
    const { method, headers } = req
    const onward = request(new URL(req.url ?? '', target), { method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(res)
    })
    req.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

onOneArrangement('embedded', 'the command line where something is in its way', (floe) => {
  let cli: CommandLine
  let token: string

  beforeAll(async () => {
    cli = await installCommandLine()
    ;({ token } = await makeToken(await signUp(floe)))
    await cli.run(['login', floe.url, '--token-stdin'], { input: token })
  })
  afterAll(() => cli.remove())

  async function file(name: string, content: Buffer | string): Promise<string> {
    const path = join(cli.folder, name)
    await writeFile(path, content)
    return path
  }

  async function send(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await cli.run(['send', ...args])
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }

  /** In a shell, where `floe` is the command line and a pipeline ends with its failure. */
  async function shell(script: string, ...words: string[]): Promise<Outcome> {
    const floeHere = `floe() { "${process.execPath}" floe.mjs "$@"; }`
    const child = spawn('bash', ['-o', 'pipefail', '-c', `${floeHere}; ${script}`, ...words], {
      cwd: cli.folder,
      env: { PATH: process.env['PATH'], HOME: cli.folder },
    })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr }
  }

  test('a pipe that is closed ends it without a word, and with the code that shells have for it', async () => {
    const large = await file('large.bin', randomBytes(4_000_000))
    const several = await send(large, await file('other.bin', 'other'))
    for (const link of [await send(large), await send(large, '--encrypt'), several]) {
      const got = await shell('floe get "$0" -o - | head -c 5 | wc -c', link)
      expect(got).toEqual({ code: 141, stdout: '5\n', stderr: '' })
    }
    for (const command of ['ls --json', 'completion zsh', 'send --help', '--version']) {
      // The reader is gone before anything is written.
      const told = await shell(`exec 3> >(:); wait $!; floe ${command} >&3`)
      expect(told, command).toEqual({ code: 141, stdout: '', stderr: '' })
    }
  })

  test('a full disk behind the output is told in one line', async () => {
    const content = await file('content.bin', randomBytes(200_000))
    const message = 'floe: The output cannot be written: no space left on device.\n'
    for (const link of [await send(content), await send(content, '--encrypt')]) {
      const got = await shell('floe get "$0" -o - > /dev/full', link)
      expect(got).toEqual({ code: 1, stdout: '', stderr: message })
    }
    const listed = await shell('floe ls > /dev/full')
    expect(listed).toEqual({ code: 1, stdout: '', stderr: message })
    const unheard = await shell('floe get nope 2> /dev/full')
    expect(unheard).toEqual({ code: 3, stdout: '', stderr: '' })
  })
  test('files that are there are left alone and named, and all others come', async () => {
    const names = ['a', 'b', 'c', 'd']
    const paths = await Promise.all(names.map((name) => file(name, `content of ${name}`)))
    const link = await send(...paths)
    const inFolder = (name: string) => join(cli.folder, 'some', name)
    await mkdir(join(cli.folder, 'some'))
    await writeFile(inFolder('b'), 'mine')
    const got = await cli.run(['get', link, '-o', 'some'])
    expect(got).toEqual({
      code: 4,
      stdout: ['a', 'c', 'd'].map((name) => `${inFolder(name)}\n`).join(''),
      stderr: `floe: ${inFolder('b')} is there already. Use --force to replace it.\n`,
    })
    await writeFile(inFolder('d'), 'mine, too')
    const { stderr } = await cli.run(['get', link, '-o', 'some'])
    expect(stderr.split('\n').slice(1)).toEqual([inFolder('b'), inFolder('d'), ''])
    const contents = await Promise.all(names.map((name) => readFile(inFolder(name), 'utf8')))
    expect(contents).toEqual(['content of a', 'mine', 'content of c', 'mine, too'])
  })

  test('a folder that cannot be made ends it with a message', async () => {
    const path = await file('homeless.txt', 'content')
    const link = await send(path)
    // Where folders are, and none can be made.
    const failure = /^floe: ENOENT: [^\n]+ '\/proc\/nope'\n$/
    const env = { HOME: '/proc/nope', FLOE_SERVER: floe.url, FLOE_TOKEN: token }
    const sent = await cli.run(['send', path], { env })
    expect(sent).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(failure) })
    const got = await cli.run(['get', link, '-o', '/proc/nope'])
    expect(got).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(failure) })
  })

  test('resume tries once what was refused for good, and forgets on request what is no longer there', async () => {
    const admin = await signInAsAdmin(floe)
    const small = await file('small.bin', randomBytes(600_000))
    const large = await file('larger.bin', randomBytes(5_000_000))
    await changeSettings(admin, [{ key: 'share.maxSize', value: 500_000 }])
    try {
      const unsent = [[small], [large, '--encrypt']]
      for (const args of unsent) {
        expect(await cli.run(['send', ...args])).toMatchObject({ code: 4, stdout: '' })
      }
      await rm(small)
      const resumed = await cli.run(['resume'])
      expect(resumed).toMatchObject({ stdout: '' })
      expect(resumed.stderr).toContain(`Forgot ${large}.`)
      expect(resumed.stderr).toContain(`${small} is not there.`)
      expect(resumed.stderr).toContain('To give up what failed: floe resume --forget\n')
    } finally {
      await changeSettings(admin, [{ key: 'share.maxSize', value: '' }])
    }
    const missing = { code: 3, stdout: '[]\n' }
    expect(await cli.run(['resume', '--json'])).toMatchObject(missing)
    expect(await cli.run(['resume', '--json', '--forget'])).toMatchObject(missing)
    expect(await cli.run(['resume', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  })

  test('a limit on guesses is told at once, with the time until the next one', async () => {
    const password = await file('password', 'sesame')
    const content = await file('guessed.txt', 'content')
    const link = await send(content, '--password-file', password)
    const stranger = await installCommandLine()
    try {
      // From the address that the command line has.
      const guess = () =>
        fetch(`${floe.url}/api/shares/${link.split('/').at(-1)}/token`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ password: 'wrong' }),
        })
      const guesses = await Promise.all(Array.from({ length: 20 }, guess))
      expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([403]))
      const got = await stranger.run(['get', link], { env: { FLOE_PASSWORD: 'sesame' } })
      expect(got).toMatchObject({ code: 4, stdout: '' })
      expect(got.stderr).toMatch(/^floe: Too many attempts\. Try again in [45] min \d+ s\.\n$/)
    } finally {
      await stranger.remove()
    }
  })

  test('a server that is busy is waited for as long as it says, and that is said', async () => {
    const link = await send(await file('awaited.txt', 'content'))
    const get = async (path: RegExp, seconds: number) => {
      const proxy = await startProxy(floe.url, path, (res) =>
        res.writeHead(503, { 'Retry-After': seconds }).end(),
      )
      const through = link.replace(floe.url, proxy.url)
      const got = await cli.run(['get', through, '-o', '-']).finally(proxy.stop)
      return { ...got, stderr: got.stderr.trim() }
    }
    const busy = 'The server responded with status 503.'
    for (const path of [/\/api\/shares\/[^/]+$/, /\/token$/, /\/files\//]) {
      const waited = { code: 0, stdout: 'content', stderr: `${busy} Trying again in 2 s.` }
      expect(await get(path, 2)).toEqual(waited)
    }
    // Longer than anybody would watch.
    expect(await get(/\/token$/, 3600)).toMatchObject({ code: 5, stdout: '' })
  })
})
