import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort } from '@floe/testing'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

export interface DevCheckout {
  url: string
  /** Replaces a text that occurs in the file, which is written in place. */
  edit(file: string, before: string, after: string): Promise<void>
  /**
   * The same in one step, as many editors save: a file of the page that is being written is empty
   * for a moment, and Vite may read it then and load the page anew.
   */
  replace(file: string, before: string, after: string): Promise<void>
  stop(): Promise<void>
}

/**
 * `npm run dev` in a copy of this checkout, whose files a test may change. The copy lies below the
 * root, so that packages can be hard links.
 */
export async function startDevCheckout(): Promise<DevCheckout> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const checkout = await mkdtemp(join(root, '.cache/dev-'))
  await copySources(checkout)
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const child = spawn('npm', ['run', 'dev'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PORT: String(port),
      DATA_DIR: join(checkout, 'data'),
    },
  })
  const stop = async () => {
    await endGroup(child)
    await rm(checkout, { recursive: true, force: true, maxRetries: 5 })
  }
  const changed = async (file: string, before: string, after: string) => {
    const text = await readFile(join(checkout, file), 'utf8')
    if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`)
    return text.replace(before, after)
  }
  try {
    await becomesReady(child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    edit: async (file, before, after) => {
      await writeFile(join(checkout, file), await changed(file, before, after))
    },
    replace: async (file, before, after) => {
      const written = join(checkout, 'node_modules/.edited')
      await writeFile(written, await changed(file, before, after))
      await rename(written, join(checkout, file))
    },
    stop,
  }
}

async function copySources(checkout: string): Promise<void> {
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  for (const path of stdout.split('\0').filter(Boolean)) {
    if (path.startsWith('docs/')) continue
    await mkdir(dirname(join(checkout, path)), { recursive: true })
    // A file that was deleted and not yet committed is listed too.
    await copyFile(join(root, path), join(checkout, path)).catch(ignoreMissing)
  }
  const { stdout: modules } = await run(
    'find',
    ['.', '-name', 'node_modules', '-type', 'd', '-prune', '-not', '-path', './.cache/*'],
    { cwd: root },
  )
  for (const folder of modules.trim().split('\n')) {
    await run('cp', ['-al', join(root, folder), join(checkout, folder)])
  }
  // What Vite has prepared belongs to the original.
  await rm(join(checkout, 'node_modules/.vite'), { recursive: true, force: true })
  await stat(join(checkout, 'node_modules/.floe-stamp'))
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

function becomesReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    const read = (line: string) => {
      lines.push(line)
      if (line.startsWith('Floe is ready')) resolve()
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', read)
    }
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`npm run dev ended with ${code}:\n${lines.join('\n')}`)),
    )
  })
}

/** npm passes no signal on to what it started, so the whole group gets it. */
async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.kill(-pid, 'SIGTERM')
  await ended
}
