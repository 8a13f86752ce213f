import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { StartError } from '../start-error.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './server.ts'

const fixture = fileURLToPath(new URL('owner-process.fixture.ts', import.meta.url))
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const settings = { fsync: 'off' }

/** Root may write everywhere, unless it starts without that privilege. */
const ordinary =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []

/** Starting a process that compiles TypeScript, and initdb, on a busy machine. */
const patience = { timeout: 20_000, interval: 50 }

describe('startEmbeddedPostgres', { timeout: 60_000 }, () => {
  let dataDir: string
  const servers: EmbeddedPostgres[] = []
  const processes: ChildProcess[] = []

  beforeEach(async () => {
    // Only its owner may enter, like every folder of mkdtemp: the hard case when run by root.
    dataDir = await mkdtemp(join(tmpdir(), 'floe-embedded-'))
  })

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    for (const child of processes.splice(0)) child.kill('SIGKILL')
    const pid = readPostmasterPid()
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  async function start(): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataDir, log: quiet, settings })
    servers.push(server)
    return server
  }

  function startProcess(prefix: string[] = []) {
    const node = [process.execPath, '--conditions=source', '--import', 'tsx']
    const [program, ...args] = [...prefix, ...node, fixture, dataDir]
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    processes.push(child)
    const lines: string[] = []
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const firstLine = () =>
      vi.waitFor(() => {
        expect(lines.length).toBeGreaterThan(0)
        return lines[0] ?? ''
      }, patience)
    return {
      firstLine,
      url: async () => (await firstLine()).replace(/^ready /, ''),
      kill: async (signal: NodeJS.Signals) => {
        child.kill(signal)
        await exited
      },
    }
  }

  const clusterDir = () => join(dataDir, 'postgres', '18', 'cluster')

  function readPostmasterPid(): number | undefined {
    try {
      return Number(readFileSync(join(clusterDir(), 'postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      return undefined
    }
  }

  it('creates a UTF-8 database that outlives a stop', async () => {
    const first = await start()
    await query(first.url, `create table boats as select 'Fram'::text as name`)
    await first.stop()

    const second = await start()
    expect(await query(second.url, 'select name from boats')).toEqual([{ name: 'Fram' }])
    expect(await query(second.url, `select lower('ÄÉ') as l, 'a' < 'B' as s`)).toEqual([
      { l: 'äé', s: false },
    ])
    expect(
      await query(second.url, 'select pg_encoding_to_char(encoding) as e from pg_database'),
    ).toEqual([{ e: 'UTF8' }, { e: 'UTF8' }, { e: 'UTF8' }, { e: 'UTF8' }])
  })

  it('listens on the loopback address only, wants its password, and keeps what it acknowledges', async () => {
    const { url } = await startEmbeddedPostgres({ dataDir, log: quiet }).then((server) => {
      servers.push(server)
      return server
    })

    const [row] = await query(
      url,
      `select current_setting('listen_addresses') as addresses,
              current_setting('unix_socket_directories') as sockets,
              current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as sync`,
    )
    expect(row).toEqual({ addresses: '127.0.0.1', sockets: '', fsync: 'on', sync: 'on' })

    const guess = new URL(url)
    guess.password = 'guess'
    await expect(query(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
    const { mode } = await stat(join(dataDir, 'postgres', '18', 'password'))
    expect(mode & 0o777).toBe(0o600)
  })

  it('leaves no process behind after a stop', async () => {
    const server = await start()
    const pid = readPostmasterPid()
    await server.stop()

    expect(pid).toBeGreaterThan(1)
    expect(isAlive(pid ?? 0)).toBe(false)
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['18'])
  })

  it('refuses a second start while the first lives, and allows it afterwards', async () => {
    const first = startProcess()
    expect(await first.firstLine()).toMatch(/^ready /)

    const refusal = await startEmbeddedPostgres({ dataDir, log: quiet }).catch(
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(StartError)
    expect(String(refusal)).toContain(`already running on the data directory ${dataDir}`)
    expect(await query(await first.url(), 'select 1 as one')).toEqual([{ one: 1 }])

    await first.kill('SIGTERM')
    await start()
  })

  it('lets exactly one of three simultaneous first starts win', async () => {
    const contenders = [startProcess(), startProcess(), startProcess()]
    const lines = await Promise.all(contenders.map((contender) => contender.firstLine()))

    const winners = lines.filter((line) => line.startsWith('ready '))
    const losers = lines.filter((line) => line.startsWith('failed StartError: Another Floe'))
    expect({ winners: winners.length, losers: losers.length, lines }).toMatchObject({
      winners: 1,
      losers: 2,
    })
    const url = winners[0]?.replace('ready ', '') ?? ''
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('adopts the server that a killed Floe left running', async () => {
    const killed = startProcess()
    await query(await killed.url(), `create table boats as select 'Fram'::text as name`)
    const pid = readPostmasterPid()
    await killed.kill('SIGKILL')

    const server = await start()

    expect(readPostmasterPid()).toBe(pid)
    expect(await query(server.url, 'select name from boats')).toEqual([{ name: 'Fram' }])
    await server.stop()
    expect(isAlive(pid ?? 0)).toBe(false)
  })

  it('recovers after Floe and the server were killed together', async () => {
    const killed = startProcess()
    await query(await killed.url(), `create table boats as select 'Fram'::text as name`)
    const pid = readPostmasterPid() ?? 0
    process.kill(pid, 'SIGKILL')
    await killed.kill('SIGKILL')

    const server = await start()

    expect(await query(server.url, 'select name from boats')).toEqual([{ name: 'Fram' }])
  })

  it('does not mistake a program that got the old process id for the server', async () => {
    const killed = startProcess()
    await killed.url()
    process.kill(readPostmasterPid() ?? 0, 'SIGKILL')
    await killed.kill('SIGKILL')
    const lockFile = join(clusterDir(), 'postmaster.pid')
    const bystander = spawn('sleep', ['60'], {
      ...(process.getuid?.() === 0 && ownerOf(await stat(clusterDir()))),
    })
    processes.push(bystander)
    const [, ...rest] = (await readFile(lockFile, 'utf8')).split('\n')
    await writeFile(lockFile, [bystander.pid, ...rest].join('\n'))

    const server = await start()

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(bystander.exitCode).toBeNull()
  })

  it('starts a server that died again, at the same address', async () => {
    const server = await start()
    await query(server.url, `create table boats as select 'Fram'::text as name`)
    process.kill(readPostmasterPid() ?? 0, 'SIGKILL')

    await vi.waitFor(
      async () =>
        expect(await query(server.url, 'select name from boats')).toEqual([{ name: 'Fram' }]),
      patience,
    )
    await expect(startEmbeddedPostgres({ dataDir, log: quiet })).rejects.toThrow('Another Floe')
  })

  it('ignores what an interrupted first start left behind', async () => {
    const killed = startProcess()
    await vi.waitFor(
      async () => expect((await readdir(join(dataDir, 'postgres'))).join()).toMatch(/^\.new-18-/),
      patience,
    )
    await killed.kill('SIGKILL')

    const server = await start()

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('says in one sentence that the data directory is a file', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    await expectSentence(join(file, 'data'), 'is not a folder')
  })

  it('says in one sentence that the database is of another PostgreSQL', async () => {
    await mkdir(join(dataDir, 'postgres', '15'), { recursive: true })
    await expectSentence(dataDir, 'was created by PostgreSQL 15')
  })

  it('says in one sentence that the password file is gone', async () => {
    await (await start()).stop()
    await rm(join(dataDir, 'postgres', '18', 'password'))
    await expectSentence(dataDir, 'password file')
  })

  it('says in one sentence that the password file is wrong, and leaves no server', async () => {
    await (await start()).stop()
    await writeFile(join(dataDir, 'postgres', '18', 'password'), 'wrong')
    await expectSentence(dataDir, 'refuses the password')
    expect(readPostmasterPid()).toBeUndefined()
  })

  it('says in one sentence what PostgreSQL itself complains about', async () => {
    await (await start()).stop()
    await rm(join(clusterDir(), 'global', 'pg_control'))
    await expectSentence(dataDir, 'could not start')
  })

  it('says in one sentence that it has no permission to write', async () => {
    await chmod(dataDir, 0o500)
    expect(await startProcess(ordinary).firstLine()).toMatch(
      /^failed StartError: Floe has no permission to write to [^\n]+\.$/,
    )
    await chmod(dataDir, 0o700)
  })

  async function expectSentence(dir: string, part: string): Promise<void> {
    const error = await startEmbeddedPostgres({ dataDir: dir, log: quiet, settings }).then(
      (server) => servers.push(server),
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    const { message } = error as StartError
    expect(message).toContain(part)
    expect(message).toMatch(/^[^\n]+\.$/)
  }
})

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A killed process that its new parent has not reaped yet still has an id, but no command line. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    return false
  }
}

function ownerOf({ uid, gid }: { uid: number; gid: number }) {
  return { uid, gid }
}
