import { execFile, spawn } from 'node:child_process'
import { cp, lstat, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'
import type { DockerStage, DockerStep } from './dockerfile.ts'

export interface ReplayOptions {
  /** What a container would see as `/`: a folder for each stage is made in it. */
  folder: string
  /** What `docker build` would send, and what of it `.dockerignore` leaves out. */
  context: { folder: string; files: readonly string[]; ignored: string }
  /** Whom `RUN` runs as; this process's own user where it cannot choose. */
  user: { uid: number; gid: number } | undefined
  /** Where npm keeps what it has fetched. */
  npmCache: string
}

export interface BuiltStage {
  /** What the image has at `/`. */
  root: string
  /** `WORKDIR`, below the root. */
  directory: string
  environment: Record<string, string>
}

/**
 * Builds the target as `docker build` would, with folders for images: the base image is this very
 * machine, `RUN` runs in the stage's `WORKDIR`. Instructions that only describe are passed over.
 */
export async function replayDockerfile(
  stages: readonly DockerStage[],
  target: string,
  options: ReplayOptions,
  built = new Map<string, BuiltStage>(),
): Promise<BuiltStage> {
  const known = built.get(target)
  if (known) return known
  const stage = stages.find(({ name }) => name === target)
  if (stage === undefined) throw new Error(`The Dockerfile has no stage ${target}`)

  const root = join(options.folder, target)
  await mkdir(join(root, 'home', 'node'), { recursive: true })
  let state: BuiltStage = { root, directory: '/', environment: {} }
  if (stages.some(({ name }) => name === stage.base)) {
    const base = await replayDockerfile(stages, stage.base, options, built)
    await link(join(base.root, '.'), root)
    state = { ...base, root }
  }
  for (const step of stage.steps) {
    state = await replay(
      step,
      state,
      options,
      async (name) => (await replayDockerfile(stages, name, options, built)).root,
    )
  }
  built.set(target, state)
  return state
}

/** The stage after the step. */
async function replay(
  step: DockerStep,
  stage: BuiltStage,
  options: ReplayOptions,
  rootOf: (stage: string) => Promise<string>,
): Promise<BuiltStage> {
  switch (step.keyword) {
    case 'ENV': {
      const pairs = step.words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string])
      return { ...stage, environment: { ...stage.environment, ...Object.fromEntries(pairs) } }
    }
    case 'WORKDIR':
      await mkdir(join(stage.root, step.text), { recursive: true })
      return { ...stage, directory: step.text }
    case 'COPY': {
      const from = step.flags.get('from')
      await copy(step, stage, from === undefined ? options.context : await rootOf(from))
      return stage
    }
    case 'RUN':
      await run(step, stage, options)
      return stage
    default:
      return stage
  }
}

async function copy(
  { words }: DockerStep,
  { root, directory }: BuiltStage,
  from: ReplayOptions['context'] | string,
): Promise<void> {
  const destination = words.at(-1) ?? ''
  const target = join(
    root,
    destination.startsWith('/') ? destination : join(directory, destination),
  )
  if (typeof from !== 'string') {
    await copyContext(from, target)
    return
  }
  for (const source of words.slice(0, -1)) {
    const path = join(from, source)
    if ((await lstat(path)).isDirectory()) await link(path, target)
    else await cp(path, destination.endsWith('/') ? join(target, basename(source)) : target)
  }
}

/** What is in the folder, without a second copy of its thousands of files. */
async function link(folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  await promisify(execFile)('cp', ['--archive', '--link', `${folder}/.`, target])
}

async function copyContext(
  { folder, files, ignored }: ReplayOptions['context'],
  destination: string,
): Promise<void> {
  const kept = dockerignore
    .default()
    .add(ignored)
    .filter([...files])
  for (const path of kept) {
    await mkdir(dirname(join(destination, path)), { recursive: true })
    await cp(join(folder, path), join(destination, path))
  }
}

/** As the user of the build, who owns nothing but the stage. */
async function run(step: DockerStep, state: BuiltStage, options: ReplayOptions): Promise<void> {
  const cwd = join(state.root, state.directory)
  const home = join(state.root, 'home', 'node')
  if (options.user) await giveAway(home, options.user)
  const child = spawn('sh', ['-ec', step.text], {
    cwd,
    ...options.user,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutOwn(process.env),
      HOME: home,
      npm_config_cache: options.npmCache,
      npm_config_prefer_offline: 'true',
      ...state.environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-8_000)))
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`RUN ${step.text}\nended with ${String(code)}:\n${output}`)
}

/** What this run of the tests and npm have told themselves is nothing a build would know. */
function withoutOwn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(?:npm_.*|NODE_ENV|VITEST.*|TEST)$/
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)))
}

/** Hands a folder and all that is in it to the user. */
export async function giveAway(folder: string, { uid, gid }: { uid: number; gid: number }) {
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, folder])
}
