import { createHash, randomBytes, randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isFullRun } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { makeToken } from '../world/api-tokens.ts'
import { onBothArrangements } from '../world/arrangements.ts'
import { type CommandLine, installCommandLine } from '../world/cli.ts'

const MEBIBYTE = 2 ** 20
const SIZE_BYTES = isFullRun ? 2 ** 31 : 192 * MEBIBYTE
/** Of a ciphertext, ahead of its segments of a mebibyte each. */
const HEADER_BYTES = 74
const SEGMENT_BYTES = 256 * 1024
const KILLS = isFullRun ? 10 : 3

/** What went through to a server, in both directions. */
interface Passage {
  url: string
  /** Where the server said that an upload is, and where the sender went on, in their order. */
  offsets: { told?: number; sentFrom?: number }[]
  sentBytes: number
  receivedBytes: number
  /** Called with each piece of a body. */
  onBytes: () => void
  close(): Promise<void>
}

async function openPassage(target: string): Promise<Passage> {
  const passage: Passage = {
    url: '',
    offsets: [],
    sentBytes: 0,
    receivedBytes: 0,
    onBytes: () => undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server: Server = createServer((req, res) => {
    if (req.method === 'PATCH') {
      passage.offsets.push({ sentFrom: Number(req.headers['upload-offset']) })
    }
    const { method, headers } = req
    const onward = request(new URL(req.url ?? '', target), { method, headers }, (answer) => {
      if (method === 'HEAD' && answer.statusCode === 200) {
        passage.offsets.push({ told: Number(answer.headers['upload-offset']) })
      }
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', (bytes: Buffer) => {
        passage.receivedBytes += bytes.length
        passage.onBytes()
      })
      answer.pipe(res)
    })
    onward.on('error', () => res.destroy())
    req.on('data', (bytes: Buffer) => {
      passage.sentBytes += bytes.length
      passage.onBytes()
    })
    req.on('close', () => {
      if (!req.complete) onward.destroy()
    })
    res.on('close', () => onward.destroy())
    req.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  passage.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return passage
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

onBothArrangements('a command line that is killed', (floe) => {
  let cli: CommandLine
  let passage: Passage
  let large: string

  beforeAll(async () => {
    cli = await installCommandLine()
    passage = await openPassage(floe.url)
    const { token } = await makeToken(await signUp(floe))
    await cli.run(['login', passage.url, '--token-stdin'], { input: token })
    large = join(cli.folder, 'large.bin')
    const file = await open(large, 'w')
    for (let at = 0; at < SIZE_BYTES; at += 16 * MEBIBYTE) {
      await file.write(randomBytes(16 * MEBIBYTE))
    }
    await file.close()
  })
  afterAll(async () => {
    await passage.close()
    await cli.remove()
  })

  /** Runs a command, and kills it once so many bytes have passed. Returns whether it was killed. */
  async function runUntil(args: string[], bytes: number, passed: () => number): Promise<boolean> {
    const child = cli.start(args)
    child.stdin.end()
    const until = passed() + bytes
    passage.onBytes = () => {
      if (passed() >= until) child.kill('SIGKILL')
    }
    const [said, [, signal]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ])
    passage.onBytes = () => undefined
    expect(said).toBe('')
    return signal === 'SIGKILL'
  }

  // More than what the sender before has left on its way, which is counted as well.
  const someBytes = () => randomInt(16 * MEBIBYTE, Math.floor(SIZE_BYTES / KILLS))

  test('goes on where the server is: no byte before that is sent twice', async () => {
    const before = passage.sentBytes
    for (let kill = 0; kill < KILLS; kill += 1) {
      expect(await runUntil(['send', large], someBytes(), () => passage.sentBytes)).toBe(true)
    }
    const sent = await cli.run(['send', large])
    expect(sent.code, sent.stderr).toBe(0)
    expect(passage.offsets.filter(({ sentFrom }) => sentFrom !== undefined)).toHaveLength(KILLS + 1)
    for (const [index, { sentFrom }] of passage.offsets.entries()) {
      if (sentFrom === undefined) continue
      expect(sentFrom).toBe(passage.offsets[index - 1]?.told ?? 0)
    }
    // What was on its way when the sender was killed, and JSON.
    const most = SIZE_BYTES + KILLS * 24 * MEBIBYTE
    expect(passage.sentBytes - before).toBeLessThan(most)
    const got = await cli.run(['get', sent.stdout.trim(), '-o', 'whole'])
    expect(got.code, got.stderr).toBe(0)
    const received = join(cli.folder, 'whole/large.bin')
    expect(await hashOf(received)).toBe(await hashOf(large))
    await rm(received)
  })

  test('goes on with an encrypted file at a segment: only what was on its way is encrypted anew, and its password holds', async () => {
    const sizeBytes = 192 * MEBIBYTE
    const kills = 3
    const secret = join(cli.folder, 'secret.bin')
    await writeFile(secret, randomBytes(sizeBytes))
    await writeFile(join(cli.folder, 'password'), 'a long one')
    const before = passage.sentBytes
    passage.offsets = []
    for (let kill = 0; kill < kills; kill += 1) {
      const args = ['send', '--encrypt', '--password-file', 'password', secret]
      const bytes = randomInt(16 * MEBIBYTE, sizeBytes / kills)
      expect(await runUntil(args, bytes, () => passage.sentBytes)).toBe(true)
    }
    const resumed = await cli.run(['resume', '--json'])
    expect(resumed.code, resumed.stderr).toBe(0)
    const begun = passage.offsets.flatMap(({ sentFrom = 0 }) => (sentFrom > 0 ? [sentFrom] : []))
    for (const offset of begun) expect((offset - HEADER_BYTES) % SEGMENT_BYTES).toBe(0)
    // Of each kill a block at most; headers of segments and JSON are a little more.
    const most = sizeBytes * 1.001 + kills * 24 * MEBIBYTE
    expect(passage.sentBytes - before).toBeLessThan(most)
    const [sent] = JSON.parse(resumed.stdout) as { url: string }[]
    expect(sent?.url).toMatch(/#k=[A-Za-z0-9_-]{43}&p=1$/)
    const got = await cli.run([
      'get',
      sent?.url ?? '',
      '-o',
      'opened',
      '--password-file',
      'password',
    ])
    expect(got.code, got.stderr).toBe(0)
    expect(await hashOf(join(cli.folder, 'opened/secret.bin'))).toBe(await hashOf(secret))
  })

  test('begins anew what is to be locked by another password', async () => {
    const secret = join(cli.folder, 'relocked.bin')
    await writeFile(secret, randomBytes(48 * MEBIBYTE))
    for (const name of ['one', 'two']) await writeFile(join(cli.folder, name), `password ${name}`)
    const send = ['send', '--encrypt', secret, '--password-file']
    expect(await runUntil([...send, 'one'], 24 * MEBIBYTE, () => passage.sentBytes)).toBe(true)
    const sent = await cli.run([...send, 'two'])
    expect(sent.code, sent.stderr).toBe(0)
    const get = ['get', sent.stdout.trim(), '-o', 'relocked', '--password-file']
    expect(await cli.run([...get, 'one'])).toMatchObject({ code: 4 })
    const got = await cli.run([...get, 'two'])
    expect(got.code, got.stderr).toBe(0)
    expect(await hashOf(join(cli.folder, 'relocked/relocked.bin'))).toBe(await hashOf(secret))
  })

  test('a folder goes on with the files that are missing, and none is there twice', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `small ${index}.bin`)
    const folder = join(cli.folder, 'whole')
    for (const name of names) await writeFile(join(folder, name), randomBytes(60_000))
    await rename(large, join(folder, 'large.bin'))
    const args = ['send', folder]
    expect(await runUntil(args, 8 * MEBIBYTE, () => passage.sentBytes)).toBe(true)
    expect(await runUntil(args, 30 * MEBIBYTE, () => passage.sentBytes)).toBe(true)
    const resumed = await cli.run(['resume', '--json'])
    expect(resumed.code, resumed.stderr).toBe(0)
    const [sent] = JSON.parse(resumed.stdout) as { id: string; url: string }[]
    const got = await cli.run(['get', sent?.url ?? '', '-o', 'again', '--json'])
    const { files } = JSON.parse(got.stdout) as { files: { path: string; sha256: string }[] }
    expect(files).toHaveLength(names.length + 1)
    for (const { path, sha256 } of files) {
      expect(await hashOf(path.replace('/again/', '/'))).toBe(sha256)
    }
    expect((await cli.run(['resume', '--json'])).stdout).toBe('[]\n')
    await rename(join(folder, 'large.bin'), large)
  })

  test('resume begins nothing anew: files that have changed are left, with what protects them', async () => {
    const path = join(cli.folder, 'changing.bin')
    await writeFile(path, randomBytes(24 * MEBIBYTE))
    const passed = () => passage.sentBytes
    expect(await runUntil(['send', path], 8 * MEBIBYTE, passed)).toBe(true)
    await writeFile(path, randomBytes(24 * MEBIBYTE))
    const shares = (await cli.run(['ls', '--json'])).stdout
    const outcome = await cli.run(['resume'])
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toContain('the files have changed. Send them again.')
    expect((await cli.run(['ls', '--json'])).stdout).toBe(shares)
    expect((await cli.run(['resume', '--json'])).stdout).toBe('[]\n')
  })

  test('receives only what is missing', async () => {
    const { stdout } = await cli.run(['send', large])
    const before = passage.receivedBytes
    const args = ['get', stdout.trim(), '-o', 'in parts']
    const received = () => passage.receivedBytes
    const most = Math.floor(SIZE_BYTES / 2)
    expect(await runUntil(args, most, received)).toBe(true)
    const got = await cli.run(args)
    expect(got.code, got.stderr).toBe(0)
    expect(await hashOf(join(cli.folder, 'in parts/large.bin'))).toBe(await hashOf(large))
    // Four pieces of 16 MiB were on their way.
    expect(passage.receivedBytes - before).toBeLessThan(SIZE_BYTES + 72 * MEBIBYTE)
  })
})
