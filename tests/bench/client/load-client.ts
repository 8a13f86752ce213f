import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { runCommand } from '../harness/process.ts'
import { sourceNodeArgs } from '../harness/node-args.ts'

export interface Transfer {
  bytes: number
  seconds: number
  /** From the request to the first byte of the body; the slowest of several paths. */
  firstByteMs: number
}

export interface Creation {
  files: number
  seconds: number
  medianMs: number
  p99Ms: number
}

export interface WriteOptions {
  port: number
  method: 'PUT' | 'PATCH' | 'POST'
  paths: string[]
  sizeBytes: number
  /** Bytes per request; all in one when absent. */
  requestBytes?: number
  /** Adds the headers of a tus PATCH. */
  isTus?: boolean
  headers?: string[]
}

export interface ReadOptions {
  port: number
  paths: string[]
  /** The least the body must hold. */
  sizeBytes: number
  /** Compares every byte with what `write` sends. */
  isVerified?: boolean
  /** for responses that do not announce their length. */
  untilClose?: boolean
  headers?: string[]
}

export interface CreateOptions {
  port: number
  path: string
  count: number
  sizeBytes: number
  connections: number
  /** `Upload-Metadata` up to the value of `filename`, which the client adds. */
  metadata: string
  headers?: string[]
}

/** Moves bytes from a process of its own, written in C where a compiler is at hand. */
export interface LoadClient {
  language: 'C' | 'Node'
  write: (options: WriteOptions) => Promise<Transfer>
  read: (options: ReadOptions) => Promise<Transfer>
  create: (options: CreateOptions) => Promise<Creation>
  /** The shell command that swallows its input and reports like `read`. */
  drainCommand: string[]
}

export function createLoadClient({ cacheFolder }: { cacheFolder: string }): LoadClient {
  const binary = compile(cacheFolder)
  const command = binary
    ? [binary]
    : [process.execPath, ...sourceNodeArgs, pathOf('./node-load.ts')]
  const run = async <T>(args: string[]): Promise<T> => {
    const [program = '', ...first] = command
    return JSON.parse(await runCommand(program, [...first, ...args])) as T
  }
  return {
    language: binary ? 'C' : 'Node',
    write: (options) => run<Transfer>(writeArgs(options)),
    read: (options) => run<Transfer>(readArgs(options)),
    create: (options) => run<Creation>(createArgs(options)),
    drainCommand: [...command, 'drain'],
  }
}

function compile(cacheFolder: string): string | undefined {
  mkdirSync(cacheFolder, { recursive: true })
  const binary = join(cacheFolder, 'load')
  const { status } = spawnSync('cc', ['-O2', '-o', binary, pathOf('./load.c')], { stdio: 'ignore' })
  return status === 0 ? binary : undefined
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

function headerArgs(headers: readonly string[] = []): string[] {
  return headers.flatMap((header) => ['--header', header])
}

function writeArgs(options: WriteOptions): string[] {
  return [
    'write',
    ...['--port', `${options.port}`, '--method', options.method, '--size', `${options.sizeBytes}`],
    ...['--request-size', `${options.requestBytes ?? options.sizeBytes}`],
    ...(options.isTus ? ['--tus'] : []),
    ...headerArgs(options.headers),
    ...options.paths,
  ]
}

function readArgs(options: ReadOptions): string[] {
  return [
    'read',
    ...['--port', `${options.port}`, '--size', `${options.sizeBytes}`],
    ...(options.isVerified ? ['--verify'] : []),
    ...(options.untilClose ? ['--until-close'] : []),
    ...headerArgs(options.headers),
    ...options.paths,
  ]
}

function createArgs(options: CreateOptions): string[] {
  return [
    'create',
    ...['--port', `${options.port}`, '--size', `${options.sizeBytes}`],
    ...['--count', `${options.count}`, '--connections', `${options.connections}`],
    ...headerArgs([...(options.headers ?? []), `Upload-Metadata: ${options.metadata}`]),
    options.path,
  ]
}
