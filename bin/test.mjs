// `npm test` prepares the checkout and the machine, runs every kind of test one after another and
// sums them up. It takes, after `--`:
//
//   unit web          only these kinds
//   path/to/file      only these files or folders, in whatever project they are
//   --full            everything, as before a release: `npm run test:full`
//   --slice=3/10      every tenth file of the full run, from the third on
//   --soak            the long fault tests: `npm run test:soak`
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'

import { root } from './build.mjs'
import { checkNode, ensureInstalled, prepare, PrepareError } from './prepare.mjs'
import {
  findGoPrograms,
  prepareContainers,
  prepareFirefox,
  prepareMachine,
} from './test/machine.mjs'
import { keepTemporaryFilesInMemory } from './test/temporary-files.mjs'
import { listTestFiles, runTests } from './test/run-vitest.mjs'

const everyProject = ['unit', 'web', 'integration', 'acceptance', 'e2e']
/** What the full run has besides; more files and more arrangements of the others too. */
const fullOnly = ['e2e-full', 'e2e-split', 'soak', 'images', 'release']
/** Projects that the full run makes longer. */
const sliced = ['integration', 'acceptance', 'e2e-full', 'e2e-split', 'soak']
/** Tests below these folders run the sources, and need no built product. */
const sourceTests = /^(?:packages|services|web|docs|tests\/architecture)(?:\/|$)/

/** Projects whose files build what they run, and take a slice each. */
const slicedAlone = ['images', 'release']

/** What some tests need besides: it is large, or takes minutes. */
const extras = [
  { projects: ['images'], files: /^tests\/images(?:\/|$)/, prepare: prepareContainers },
  {
    projects: ['e2e-full', 'e2e-split'],
    files: /^tests\/e2e(?:\/full(?:\/firefox\.test\.ts)?)?$/,
    prepare: prepareFirefox,
  },
]

/** What the arguments ask for: a list of runs, and how much has to be there before. */
async function plan(args) {
  const slice = args.map((arg) => /^--slice=(\d+)\/(\d+)$/.exec(arg)).find(Boolean)
  if (slice) return planSlice(Number(slice[1]), Number(slice[2]))
  if (args.includes('--full')) {
    process.env.FLOE_TEST_FULL = 'yes'
    return planProjects([...everyProject, ...fullOnly])
  }
  if (args.includes('--soak')) return planProjects(['soak'])
  if (args.length === 0) return planProjects(everyProject)
  return args.every((arg) => [...everyProject, ...fullOnly].includes(arg))
    ? planProjects(args)
    : planFiles(args)
}

async function planProjects(projects) {
  await prepareAll()
  for (const extra of extras) {
    if (extra.projects.some((project) => projects.includes(project))) await extra.prepare()
  }
  return projects.map((project) => ({ title: project, projects: [project] }))
}

async function planFiles(args) {
  const unknown = args.filter((arg) => !existsSync(resolve(root, arg)))
  if (unknown.length > 0) {
    const known = [...everyProject, ...fullOnly].join(', ')
    throw new PrepareError(`There are no tests called ${unknown.join(', ')}: ${known}, or a path.`)
  }
  const files = args.map((arg) => relative(root, resolve(root, arg)))
  if (files.some(isInFullFolder)) process.env.FLOE_TEST_FULL = 'yes'
  if (files.every((file) => sourceTests.test(file))) {
    await ensureInstalled()
    findGoPrograms()
  } else {
    await prepareAll()
    await prepareExtras(files)
  }
  const projects = [...everyProject, ...fullOnly].filter((project) => project !== 'e2e-split')
  return [{ title: files.join(' '), projects, files }]
}

/**
 * The files are dealt out in turn, so that every slice has some of each kind; but those that take
 * long have the last slices to themselves.
 */
async function planSlice(slice, slices) {
  process.env.FLOE_TEST_FULL = 'yes'
  // What is listed depends on what is installed.
  await prepareAll()
  const large = await listTestFiles(slicedAlone)
  const others = slices - large.length
  const alone = large[(slice % slices) - others]
  // The other soak tests have their own place in `.ci/run`.
  const all = (await listTestFiles(sliced)).filter(
    ({ project, file }) => project !== 'soak' || isInFullFolder(file),
  )
  const chosen = alone ? [alone] : all.filter((_, index) => index % others === slice % slices)
  await prepareExtras(chosen.map(({ file }) => file))
  console.log(
    `Slice ${slice} of ${slices} of the full run, ${chosen.length} of ${all.length} files:`,
  )
  for (const { file, project } of chosen) console.log(`  ${project} ${file}`)
  return [...sliced, ...slicedAlone]
    .map((project) => ({
      title: project,
      projects: [project],
      files: chosen.filter((one) => one.project === project).map(({ file }) => file),
    }))
    .filter(({ files }) => files.length > 0)
}

function isInFullFolder(file) {
  return /(?:^|\/)full(?:\/|$)/.test(file)
}

/** What Go builds takes minutes: other things come over the network meanwhile. */
async function prepareAll() {
  checkNode()
  await Promise.all([prepare(), prepareMachine()])
}

/** @param {string[]} files Or folders. */
async function prepareExtras(files) {
  for (const extra of extras) {
    if (files.some((file) => extra.files.test(file))) await extra.prepare()
  }
}

async function main() {
  const results = []
  const runs = await plan(process.argv.slice(2))
  // The long tests fill disks and time them.
  if (process.env.FLOE_TEST_FULL !== 'yes' && !process.argv.includes('--soak')) {
    keepTemporaryFilesInMemory()
  }
  // A process of its own for each, so that none inherits the memory or servers of another.
  for (const run of runs) results.push(await runTests(run))
  console.log('')
  for (const { title, failures } of results) {
    for (const failure of failures) console.log(`failed: ${title}: ${failure}`)
  }
  for (const { secondTries } of results) {
    for (const name of secondTries) console.log(`needed a second try: ${name}`)
  }
  for (const { title, seconds, passed, failed } of results) {
    console.log(`${title}: ${passed} passed, ${failed} failed in ${seconds.toFixed(0)} s`)
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

await main().catch((error) => {
  console.error(error instanceof PrepareError ? error.message : error)
  process.exitCode = 1
})
