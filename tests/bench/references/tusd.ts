import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, runCommand, startProcess, waitForPort } from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'
import { toReference, type Reference } from './reference.ts'

const TUSD_VERSION = '2.9.1'
const BUILD_TIMEOUT_MS = 600_000

/** `undefined` where neither a built tusd nor Go to build it is at hand. */
export async function startTusd(
  scratch: Scratch,
  cacheFolder: string,
): Promise<Reference | undefined> {
  const binary = await buildTusd(cacheFolder)
  if (binary === undefined) return undefined
  const port = await freePort()
  const folder = scratch.folder('tusd')
  const running = startProcess({
    command: binary,
    args: [
      ...['-host', '127.0.0.1', '-port', `${port}`, '-upload-dir', folder],
      ...['-expose-metrics=false', '-verbose=false'],
    ],
    logFile: scratch.file('tusd.log'),
  })
  await waitForPort(port, running)
  return toReference(running, { name: `tusd ${TUSD_VERSION}`, port, folder })
}

/**
 * Builds inside the module's own sources, so that its lock file decides about dependencies;
 * everything Go writes stays in the cache folder.
 */
async function buildTusd(cacheFolder: string): Promise<string | undefined> {
  const binary = join(cacheFolder, `tusd-${TUSD_VERSION}`)
  if (existsSync(binary)) return binary
  if (spawnSync('go', ['version']).status !== 0) return undefined
  const goFolder = join(cacheFolder, 'go')
  const sources = join(cacheFolder, 'tusd-sources')
  mkdirSync(goFolder, { recursive: true })
  const env = { GOPATH: goFolder, GOFLAGS: '-buildvcs=false -modcacherw' }
  try {
    const found = await runCommand(
      'go',
      ['mod', 'download', '-json', `github.com/tus/tusd/v2@v${TUSD_VERSION}`],
      { env, cwd: cacheFolder, timeoutMs: BUILD_TIMEOUT_MS },
    )
    const { Dir: folder } = JSON.parse(found) as { Dir: string }
    cpSync(folder, sources, { recursive: true })
    const build = { env, cwd: sources, timeoutMs: BUILD_TIMEOUT_MS }
    await runCommand('go', ['build', '-o', binary, './cmd/tusd'], build)
    return binary
  } catch (error) {
    console.error(`tusd cannot be built: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  } finally {
    rmSync(sources, { recursive: true, force: true })
    rmSync(goFolder, { recursive: true, force: true })
  }
}
