import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, runCommand, startProcess, waitForPort } from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'
import { toReference, type Reference } from './reference.ts'

const COPYPARTY_VERSION = '1.20.26'
const INSTALL_TIMEOUT_MS = 180_000

export const copypartyName = `copyparty ${COPYPARTY_VERSION}`

/** The program; `undefined` where Python cannot install it. */
export async function installCopyparty(cacheFolder: string): Promise<string | undefined> {
  const environment = join(cacheFolder, `copyparty-${COPYPARTY_VERSION}`)
  const program = join(environment, 'bin', 'copyparty')
  if (existsSync(program)) return program
  if (spawnSync('python3', ['--version']).status !== 0) return undefined
  try {
    await runCommand('python3', ['-m', 'venv', environment], { timeoutMs: INSTALL_TIMEOUT_MS })
    await runCommand(
      join(environment, 'bin', 'pip'),
      ['install', '--quiet', '--disable-pip-version-check', `copyparty==${COPYPARTY_VERSION}`],
      { timeoutMs: INSTALL_TIMEOUT_MS },
    )
    return program
  } catch (error) {
    console.error(
      `copyparty cannot be installed: ${error instanceof Error ? error.message : String(error)}`,
    )
    rmSync(environment, { recursive: true, force: true })
    return undefined
  }
}

/** As it comes, with one empty folder that everyone may fill. */
export async function startCopyparty(program: string, scratch: Scratch): Promise<Reference> {
  const port = await freePort()
  const folder = scratch.folder('copyparty')
  const running = startProcess({
    command: program,
    // It takes no files on tmpfs unless told to.
    args: ['-i', '127.0.0.1', '-p', `${port}`, '-v', `${folder}::rw`, '--wram'],
    // What it would keep between runs.
    env: { XDG_CONFIG_HOME: scratch.folder('copyparty-config') },
    cwd: folder,
    logFile: scratch.file('copyparty.log'),
  })
  await waitForPort(port, running)
  return toReference(running, { name: copypartyName, port, folder })
}
