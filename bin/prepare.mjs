// Brings a checkout to the point where it can run. Uses only what comes with Node, because nothing
// else is there on a fresh clone.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { findStale, root } from './build.mjs'
import { refuseNodeVersion } from './node-version.mjs'

/** The message is one sentence for the person at the keyboard. */
export class PrepareError extends Error {}

/** For programs that can only give up, with this code; without `builds` for those that build themselves. */
export async function prepareOrExit(code, { builds = true } = {}) {
  try {
    await prepare({ builds })
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error
    console.error(error.message)
    process.exit(code)
  }
}

/** @throws PrepareError Where this Node.js is too old. */
export function checkNode() {
  const refusal = refuseNodeVersion(process.versions.node)
  if (refusal) throw new PrepareError(refusal)
}

/** Checks Node, installs what the lock file lists and builds what changed; quick if all is done. */
export async function prepare({ builds = true } = {}) {
  checkNode()
  await ensureInstalled()
  if (builds) await ensureBuilt()
}

const lockFile = join(root, 'package-lock.json')
const modulesDir = join(root, 'node_modules')
const stampFile = join(modulesDir, '.floe-stamp')

export async function ensureInstalled() {
  const stamp = await describeLock()
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return
  if (await matchesLock()) {
    // Only saves the comparison next time; the folder may belong to somebody else.
    await writeFile(stampFile, stamp).catch(() => undefined)
    return
  }
  await install(stamp)
}

export async function ensureBuilt() {
  if ((await findStale()).length === 0) return
  if (!existsSync(join(modulesDir, 'esbuild'))) await install(await describeLock())
  await run(process.execPath, [join(root, 'bin', 'build.mjs')], (ending) => {
    return `Floe could not be built (${ending}); see the lines above.`
  })
}

/** Binaries differ by platform, so a tree copied from another machine counts as not installed. */
async function describeLock() {
  const hash = createHash('sha256')
    .update(await readFile(lockFile))
    .digest('hex')
  return `${hash} ${process.platform}-${process.arch}\n`
}

/** Does npm's record of what it installed match the lock file? */
async function matchesLock() {
  const [wanted, present] = await Promise.all([
    readPackages(lockFile),
    readPackages(join(modulesDir, '.package-lock.json')),
  ])
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = present[path]
    if (!found) return mayBeMissing(entry)
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function mayBeMissing(entry) {
  if (entry.dev || entry.peer || entry.extraneous) return true
  if (!entry.optional && !entry.devOptional) return false
  const fits = (list, value) => !list || list.includes(value)
  const forThisPlatform =
    entry.os && fits(entry.os, process.platform) && fits(entry.cpu, process.arch)
  return !forThisPlatform || Boolean(entry.libc)
}

async function readPackages(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

async function install(stamp) {
  console.log('Installing packages, which takes about a minute')
  // NODE_ENV=production would leave out what the build needs.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const explain = (ending) =>
    `Floe could not install its packages (npm ci: ${ending}); see the lines above, check the connection to the npm registry and start again.`
  const npm = process.env.npm_execpath
  if (npm?.endsWith('npm-cli.js')) await run(process.execPath, [npm, ...args], explain)
  else await run('npm', args, explain)
  await writeFile(stampFile, stamp)
}

/**
 * Passes signals on, so that stopping us never leaves the child behind.
 *
 * @throws PrepareError What `explain` makes of how it ended, unless well.
 */
export async function run(command, args, explain, options = {}) {
  const child = spawn(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
    ...options,
  })
  const passOn = (signal) => child.kill(signal)
  process.on('SIGTERM', passOn).on('SIGINT', passOn)
  try {
    const ending = await new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(signal ?? code))
    })
    if (ending === 'SIGINT' || ending === 'SIGTERM') throw new PrepareError('Stopped.')
    if (ending !== 0) {
      throw new PrepareError(explain(typeof ending === 'number' ? `code ${ending}` : ending))
    }
  } finally {
    process.off('SIGTERM', passOn).off('SIGINT', passOn)
  }
}
