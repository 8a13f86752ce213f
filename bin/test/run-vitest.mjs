// One run of Vitest in a process of its own, and what came of it.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { root } from '../build.mjs'
import { PrepareError } from '../prepare.mjs'

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/** Runs these projects, or of them these files alone. */
export async function runTests({ title, projects, files = [] }) {
  const startedAt = performance.now()
  console.log(`\n== ${title}`)
  const folder = await mkdtemp(join(tmpdir(), 'floe-report-'))
  try {
    const reportFile = join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
    const exitCode = await runVitest(['run', ...select(projects), ...reporters, ...files])
    const report = await readJson(reportFile)
    return {
      title,
      seconds: (performance.now() - startedAt) / 1000,
      ...count(report, exitCode),
      failures: listFailures(report),
      secondTries: listSecondTries(report),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every file of these projects with the project it is in, in the order of their paths. */
export async function listTestFiles(projects) {
  const folder = await mkdtemp(join(tmpdir(), 'floe-list-'))
  try {
    const listFile = join(folder, 'list.json')
    await runVitest(['list', '--filesOnly', `--json=${listFile}`, ...select(projects)])
    const listed = (await readJson(listFile)) ?? []
    return listed
      .map(({ file, projectName }) => ({ file: relative(root, file), project: projectName }))
      .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function select(projects) {
  return projects.flatMap((project) => ['--project', project])
}

async function readJson(file) {
  return readFile(file, 'utf8').then(JSON.parse, () => undefined)
}

function runVitest(args) {
  const child = spawn(process.execPath, [vitest, ...args], {
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

/** A test that passed and has failures had them in a try before. */
function listSecondTries(report) {
  return (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName }) => `${relative(root, name)} > ${fullName}`),
  )
}

function beginningOf(text) {
  return stripVTControlCharacters(text ?? '')
    .split('\n', 3)
    .join(' ')
    .slice(0, 500)
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
