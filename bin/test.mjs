// `npm test`: prepares the checkout and the machine, runs every kind of test one after another and
// sums them up. `npm test -- unit web` runs those kinds only, `e2e-split` the browser's on two of each
// service and MinIO, `--soak` the long fault tests.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { root } from './build.mjs'
import { prepare, PrepareError } from './prepare.mjs'

const everyProject = ['unit', 'web', 'integration', 'acceptance', 'e2e']

/** Program → the Debian package that brings it. */
const systemPackages = {
  chromium: 'chromium',
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
}

/**
 * Program → the Go module that it is built from. Of MinIO the module proxy offers this commit alone;
 * it is the last of the repository.
 */
const goPrograms = {
  minio: 'github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c',
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.3',
}

/** Program → another that does the same. */
const substitutes = { kustomize: 'kubectl' }

/** Font → the package that brings it; the browser's tests are drawn with these and no others. */
const fontPackages = {
  'DejaVu Sans': 'fonts-dejavu-core',
  Garuda: 'fonts-thai-tlwg',
  Loma: 'fonts-thai-tlwg',
  'WenQuanYi Micro Hei': 'fonts-wqy-microhei',
}

function chooseProjects(args) {
  if (args.includes('--soak')) return ['soak']
  const known = [...everyProject, 'e2e-split', 'soak']
  const unknown = args.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new PrepareError(`There are no tests called ${unknown.join(', ')}: ${known.join(', ')}.`)
  }
  return args.length > 0 ? args : everyProject
}

/** Installs what the tests run beside Floe, or names it where that takes another user. */
function ensureSystemPackages() {
  const missing = Object.keys(systemPackages).filter((program) => !isOnPath(program))
  if (missing.length === 0) return
  const packages = missing.map((program) => systemPackages[program])
  if (!canInstall()) {
    throw new PrepareError(`The tests need these packages installed: ${packages.join(', ')}.`)
  }
  install(packages)
  const stillMissing = missing.filter((program) => !isOnPath(program))
  if (stillMissing.length > 0) {
    throw new PrepareError(`apt-get installed no ${stillMissing.join(', ')}; see the lines above.`)
  }
}

/** Real S3 servers, and what renders manifests: those on the PATH, or built by Go where it is. */
function ensureGoPrograms() {
  const isThere = (program) => isOnPath(program) || isOnPath(substitutes[program] ?? program)
  const missing = () => Object.keys(goPrograms).filter((program) => !isThere(program))
  if (missing().length === 0) return
  if (!isOnPath('go')) {
    throw new PrepareError(`The tests need ${missing().join(', ')} on the PATH, or Go to build it.`)
  }
  const { stdout } = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' })
  process.env.PATH = `${process.env.PATH ?? ''}${delimiter}${join(stdout.trim(), 'bin')}`
  for (const program of missing()) {
    console.log(`Building ${program}, which takes some minutes`)
    const { status } = spawnSync('go', ['install', goPrograms[program]], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, GOBIN: '' },
    })
    if (status !== 0 || !isOnPath(program)) {
      throw new PrepareError(`go install built no ${program}; see the lines above.`)
    }
  }
}

/** Pages are looked at in every language: in boxes, texts may fit where in letters they would not. */
function ensureFonts() {
  const packages = missingFontPackages()
  if (packages.length === 0) return
  if (!canInstall()) {
    throw new PrepareError(`The tests need fonts of these packages: ${packages.join(', ')}.`)
  }
  install(packages)
  const stillMissing = missingFontPackages()
  if (stillMissing.length > 0) {
    throw new PrepareError(`No fonts of ${stillMissing.join(', ')} are found; see the lines above.`)
  }
}

function canInstall() {
  return process.getuid?.() === 0 && isOnPath('apt-get')
}

function install(packages) {
  console.log(`Installing ${packages.join(', ')}`)
  runApt(['update', '-qq'])
  runApt(['install', '-y', '-qq', '--no-install-recommends', ...packages])
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
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function runApt(args) {
  const { status } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) {
    throw new PrepareError(`apt-get ${args[0]} did not work; see the lines above.`)
  }
}

/** A process of its own for each kind, so that none inherits the memory or servers of another. */
async function runProject(project, reportFile) {
  const startedAt = performance.now()
  console.log(`\n== ${project}`)
  const exitCode = await runVitest(project, reportFile)
  const report = await readFile(reportFile, 'utf8').then(JSON.parse, () => undefined)
  const seconds = (performance.now() - startedAt) / 1000
  return { project, seconds, ...count(report, exitCode), failures: listFailures(report) }
}

/** What failed, with the beginning of why: by the end of a long run it has scrolled away. */
function listFailures(report) {
  return (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name)
      const tests = assertionResults.filter((test) => test.status === 'failed')
      if (tests.length === 0) return [`${file}: ${beginningOf(message)}`]
      return tests.map(
        ({ fullName, failureMessages }) =>
          `${file} > ${fullName}: ${beginningOf(failureMessages.join('\n'))}`,
      )
    })
}

function beginningOf(text) {
  return stripVTControlCharacters(text ?? '')
    .split('\n', 3)
    .join(' ')
    .slice(0, 500)
}

function runVitest(project, reportFile) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = ['run', '--project', project, '--reporter=default', '--reporter=json']
  const child = spawn(process.execPath, [vitest, ...args, `--outputFile.json=${reportFile}`], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  let isStopped = false
  const passOn = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  process.on('SIGTERM', passOn).on('SIGINT', passOn)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', passOn).off('SIGINT', passOn)
      if (isStopped) reject(new PrepareError('Stopped.'))
      else resolve(code ?? 1)
    })
  })
}

/** A file that did not load, an error outside any test and a run without tests are failures too. */
function count(report, exitCode) {
  const passed = report?.numPassedTests ?? 0
  const brokenFiles = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = (report?.numFailedTests ?? 0) + brokenFiles.length
  const isSilentFailure = failed === 0 && (exitCode !== 0 || passed === 0)
  return { passed, failed: isSilentFailure ? 1 : failed }
}

async function main() {
  const projects = chooseProjects(process.argv.slice(2))
  await prepare()
  ensureSystemPackages()
  ensureGoPrograms()
  ensureFonts()
  const reports = await mkdtemp(join(tmpdir(), 'floe-reports-'))
  const results = []
  try {
    for (const project of projects) {
      results.push(await runProject(project, join(reports, `${project}.json`)))
    }
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
  console.log('')
  for (const { project, failures } of results) {
    for (const failure of failures) console.log(`failed: ${project}: ${failure}`)
  }
  for (const { project, seconds, passed, failed } of results) {
    console.log(`${project}: ${passed} passed, ${failed} failed in ${seconds.toFixed(0)} s`)
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

await main().catch((error) => {
  console.error(error instanceof PrepareError ? error.message : error)
  process.exitCode = 1
})
