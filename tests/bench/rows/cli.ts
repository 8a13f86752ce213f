import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, Row } from '../bench.ts'
import { startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { signUp, type Session } from '../floe/session.ts'
import { compareLine, limitLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { GiB, MiB } from '../harness/transfers.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../../../packages/cli/dist/floe.mjs', import.meta.url))

const SMALL_FILE_BYTES = 4000
/** What the page does with as many of them, see docs/adr/0035. */
const PAGE_FILES_PER_SECOND = 2600

interface Programs {
  folder: string
  floe(...args: string[]): Promise<string>
  curl(...args: string[]): Promise<string>
}

async function prepare(folder: string, { port, cookie }: Session): Promise<Programs> {
  const response = await fetch(`http://127.0.0.1:${port}/api/tokens`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', scopes: ['shares:read', 'shares:write', 'files:read'] }),
  })
  const { token } = (await response.json()) as { token: string }
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    FLOE_SERVER: `http://127.0.0.1:${port}`,
    FLOE_TOKEN: token,
  }
  const header = `Authorization: Bearer ${token}`
  return {
    folder,
    floe: async (...args) => {
      const { stdout } = await run(process.execPath, [program, ...args], { cwd: folder, env })
      return stdout.trim()
    },
    curl: async (...args) =>
      (await run('curl', ['-sS', '-f', '-H', header, ...args])).stdout.trim(),
  }
}

/** Seconds that each round took, and what ends it outside of the measurement. */
function timed(name: string, work: () => Promise<string>, after: (said: string) => Promise<void>) {
  const perSecond: number[] = []
  return {
    name,
    perSecond,
    run: async () => {
      const startedAt = performance.now()
      const said = await work()
      perSecond.push(1000 / (performance.now() - startedAt))
      await after(said)
    },
  }
}

/** The memory that the first one takes new, the next one finds there. */
async function warmUp(works: readonly ReturnType<typeof timed>[]): Promise<void> {
  for (const { run, perSecond } of works) {
    await run()
    perSecond.length = 0
  }
}

async function measureTransfers(bench: Bench, floe: Floe, session: Session): Promise<Line[]> {
  const sizeBytes = bench.isQuick ? 64 * MiB : GiB
  const folder = bench.scratch.folder('cli')
  const { floe: cli, curl } = await prepare(folder, session)
  const file = join(folder, 'file.bin')
  writeFileSync(file, randomBytes(sizeBytes))
  const site = `http://127.0.0.1:${session.port}`
  const forget = async (link: string) => {
    await session.deleteShare(link.split('/').at(-1) ?? '')
    await waitUntilQuiet(floe)
  }
  const sent = timed('floe send', () => cli('send', file), forget)
  const put = timed('curl -T', () => curl('-T', file, `${site}/up/`), forget)
  await warmUp([put, sent])
  await runRounds(bench.rounds, [sent, put])

  const link = await cli('send', file)
  const [shared] = await session.listFiles(link.split('/').at(-1) ?? '')
  await waitUntilQuiet(floe)
  const target = join(folder, 'received.bin')
  const address = `${site}/api/shares/${link.split('/').at(-1)}/files/${shared?.id}`
  const remove = async () => {
    for (const path of [target, join(folder, 'received')])
      rmSync(path, { recursive: true, force: true })
  }
  const got = timed('floe get', () => cli('get', link, '-o', 'received'), remove)
  const read = timed('curl', () => curl('-o', target, address), remove)
  await warmUp([read, got])
  await runRounds(bench.rounds, [got, read])
  const speed = ({ perSecond }: { perSecond: number[] }) =>
    perSecond.map((rounds) => (rounds * sizeBytes) / 1e6)
  const compare = (what: string, ours: typeof sent, theirs: typeof put) =>
    compareLine({
      what,
      ours: speed(ours),
      theirs: { name: theirs.name, values: speed(theirs) },
      unit: 'MB/s',
      atLeast: 0.9,
    })
  return [
    compare('Command line, upload of 1 GiB, its start included, to curl', sent, put),
    compare(
      'Command line, download of 1 GiB, SHA-256 checked, to curl, which checks nothing',
      got,
      read,
    ),
  ]
}

async function measureSmallFiles(bench: Bench, floe: Floe, session: Session): Promise<Line[]> {
  const count = bench.isQuick ? 500 : 10_000
  const folder = bench.scratch.folder('cli-small')
  const { floe: cli } = await prepare(folder, session)
  mkdirSync(join(folder, 'many'))
  for (let at = 0; at < count; at += 1) {
    writeFileSync(join(folder, 'many', `${at}.bin`), randomBytes(SMALL_FILE_BYTES))
  }
  const sent = timed(
    'floe send',
    () => cli('send', 'many'),
    async (link) => {
      await session.deleteShare(link.split('/').at(-1) ?? '')
      await waitUntilQuiet(floe)
    },
  )
  await runRounds(bench.rounds, [sent])
  return [
    limitLine({
      what: `Command line, ${count} files of 4 kB`,
      values: sent.perSecond.map((rounds) => rounds * count),
      unit: 'files/s',
      digits: 0,
      atLeast: PAGE_FILES_PER_SECOND,
    }),
  ]
}

export const cliRow: Row = {
  name: 'cli',
  measure: async (bench) => {
    if (!existsSync(program)) throw new Error('the command line is not built')
    const floe = await startFloe(bench.scratch)
    try {
      const session = await signUp(floe)
      return [
        ...(await measureTransfers(bench, floe, session)),
        ...(await measureSmallFiles(bench, floe, session)),
      ]
    } finally {
      await floe.stop()
    }
  },
}
