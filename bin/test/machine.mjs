// What the tests run beside Floe: programs of the system, S3 servers, fonts.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, renameSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

import { PrepareError, run } from '../prepare.mjs'

/** Program → the Debian package that brings it. */
const systemPackages = {
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  'fc-list': 'fontconfig',
  'redis-server': 'redis-server',
  '7z': 'p7zip-full',
  unzip: 'unzip',
  zip: 'zip',
  python3: 'python3',
  curl: 'curl',
  wget: 'wget',
  nginx: 'nginx-light',
  caddy: 'caddy',
  haproxy: 'haproxy',
  openssl: 'openssl',
  '/usr/sbin/slapd': 'slapd',
  '/usr/sbin/clamd': 'clamav-daemon',
}

/**
 * Program → the Go module that it is built from. The module proxy offers this commit of MinIO
 * alone; it is the last of the repository.
 */
const goPrograms = {
  minio: 'github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c',
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  // The last one that Go 1.26 builds.
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.2',
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
}

/** Program → another that does the same. */
const substitutes = { kustomize: 'kubectl' }

/** What builds images and runs containers. */
const containerPackages = {
  podman: 'podman',
  buildah: 'buildah',
  runc: 'runc',
  debootstrap: 'debootstrap',
  catatonit: 'catatonit',
  iptables: 'iptables',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
}

const containerGoPrograms = {
  // The last one that speaks the Docker API of Debian's podman.
  'docker-compose': 'github.com/docker/compose/v2/cmd@v2.32.4',
}

/** What Go calls a program by itself. */
const builtAs = { 'docker-compose': 'cmd' }

/** Font → the package that brings it; the browser's tests are drawn with these and no others. */
const fontPackages = {
  'DejaVu Sans': 'fonts-dejavu-core',
  Garuda: 'fonts-thai-tlwg',
  Loma: 'fonts-thai-tlwg',
  'WenQuanYi Micro Hei': 'fonts-wqy-microhei',
}

/** Installs or builds what is missing, or names it where that takes another user. */
export async function prepareMachine() {
  await Promise.all([prepareSystem(), ensureGoPrograms(goPrograms)])
}

async function prepareSystem() {
  await ensureSystemPackages(systemPackages)
  await ensureFonts()
}

/** For its own tests alone: it is as large as all else. */
export async function prepareFirefox() {
  await ensureSystemPackages({ 'firefox-esr': 'firefox-esr' })
}

/** For the tests of the images alone, since it takes minutes. */
export async function prepareContainers() {
  await ensureSystemPackages(containerPackages)
  await ensureGoPrograms(containerGoPrograms)
}

/** Lets tests find what an earlier run has built, without building anything. */
export function findGoPrograms(programs = goPrograms) {
  const folder = goFolder()
  if (missingGoPrograms(programs).length === 0 || folder === undefined) return
  process.env.PATH = `${process.env.PATH ?? ''}${delimiter}${folder}`
}

/** Where Go puts what it builds, if it is here. */
function goFolder() {
  if (!isOnPath('go')) return undefined
  const { stdout } = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' })
  return join(stdout.trim(), 'bin')
}

function missingGoPrograms(programs) {
  const isThere = (program) => isOnPath(program) || isOnPath(substitutes[program] ?? program)
  return Object.keys(programs).filter((program) => !isThere(program))
}

async function ensureSystemPackages(wanted) {
  const missing = Object.keys(wanted).filter((program) => !isOnPath(program))
  if (missing.length === 0) return
  const packages = missing.map((program) => wanted[program])
  if (!canInstall()) {
    throw new PrepareError(`The tests need these packages installed: ${packages.join(', ')}.`)
  }
  await install(packages)
  const stillMissing = missing.filter((program) => !isOnPath(program))
  if (stillMissing.length > 0) {
    throw new PrepareError(`apt-get installed no ${stillMissing.join(', ')}; see the lines above.`)
  }
}

/** Real S3 servers, and what renders manifests: those on the PATH, or built by Go where it is. */
async function ensureGoPrograms(programs) {
  findGoPrograms(programs)
  const missing = missingGoPrograms(programs)
  const folder = goFolder()
  if (missing.length === 0) return
  if (folder === undefined) {
    throw new PrepareError(`The tests need ${missing.join(', ')} on the PATH, or Go to build it.`)
  }
  for (const program of missing) {
    console.log(`Building ${program}, which takes some minutes`)
    const explain = () => `go install built no ${program}; see the lines above.`
    await run('go', ['install', programs[program]], explain, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, GOBIN: '' },
    })
    if (program in builtAs) renameSync(join(folder, builtAs[program]), join(folder, program))
    if (!isOnPath(program)) throw new PrepareError(explain())
  }
}

/** Pages are looked at in every language: in boxes, texts may fit where in letters they would not. */
async function ensureFonts() {
  const packages = missingFontPackages()
  if (packages.length === 0) return
  if (!canInstall()) {
    throw new PrepareError(`The tests need fonts of these packages: ${packages.join(', ')}.`)
  }
  await install(packages)
  const stillMissing = missingFontPackages()
  if (stillMissing.length > 0) {
    throw new PrepareError(`No fonts of ${stillMissing.join(', ')} are found; see the lines above.`)
  }
}

function canInstall() {
  return process.getuid?.() === 0 && isOnPath('apt-get')
}

async function install(packages) {
  console.log(`Installing ${packages.join(', ')}`)
  await runApt(['update', '-qq'])
  await runApt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
}

function missingFontPackages() {
  const missing = Object.keys(fontPackages).filter((family) => {
    const { stdout } = spawnSync('fc-list', [family], { encoding: 'utf8' })
    return stdout.trim() === ''
  })
  return [...new Set(missing.map((family) => fontPackages[family]))]
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(resolve(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function runApt(args) {
  const explain = () => `apt-get ${args[0]} did not work; see the lines above.`
  return run('apt-get', args, explain, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}
