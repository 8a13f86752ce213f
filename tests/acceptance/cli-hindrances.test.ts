import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type CommandLine, installCommandLine, type Outcome } from './world/cli.ts'

onOneArrangement('embedded', 'the command line where something is in its way', (floe) => {
  let cli: CommandLine

  beforeAll(async () => {
    cli = await installCommandLine()
    const { token } = await makeToken(await signUp(floe))
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
})
