import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { steps as releaseSteps } from '../../deploy/release/steps.ts'
import { listCommitted, read, root } from '../architecture/repository.ts'

interface Step {
  run?: string
  uses?: string
}

interface Job {
  permissions?: Record<string, string>
  steps?: Step[]
}

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const workflows = ['check', 'release'].map((name) => `.github/workflows/${name}.yml`)
const readWorkflow = (path: string) => parse(read(path)) as Workflow
const stepsOf = (path: string) =>
  Object.values(readWorkflow(path).jobs).flatMap(({ steps = [] }) => steps)
const commandsOf = (path: string) => stepsOf(path).flatMap(({ run }) => run ?? [])

test.each(workflows)('%s is one that GitHub accepts', (path) => {
  const options = ['-shellcheck=', '-pyflakes=', '-no-color']
  execFileSync('actionlint', [...options, path], { cwd: root, stdio: 'pipe' })
})

test.each(workflows)('every script and command that %s names is there', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const committed = new Set(listCommitted())
  for (const command of commandsOf(path)) {
    const files = command.match(/(?<![\w./-])(?:deploy|bin|\.ci)\/[\w./-]+/g) ?? []
    const missing = files.filter(
      (file) => !file.startsWith('deploy/release/out') && !committed.has(file),
    )
    expect(missing, command).toEqual([])
    const [, script, rest = ''] = /npm run ([\w:]+)(?: -- (.*))?/.exec(command) ?? []
    if (script === undefined) continue
    expect(scripts).toHaveProperty([script])
    if (script === 'release') {
      for (const step of rest.split(' ')) expect(releaseSteps).toHaveProperty([step])
    }
  }
})

test('a release takes every step that a dry run takes', () => {
  const taken = commandsOf('.github/workflows/release.yml').flatMap((command) =>
    (/npm run release -- (.*)/.exec(command)?.[1] ?? '').split(' ').filter(Boolean),
  )
  expect(taken.sort()).toEqual(Object.keys(releaseSteps).sort())
})

test.each(workflows)('%s takes actions by their version', (path) => {
  const unpinned = stepsOf(path)
    .flatMap(({ uses }) => uses ?? [])
    .filter((action) => !/^[\w-]+\/[\w-]+@v\d+(?:\.\d+)*$|@[0-9a-f]{40}$/.test(action))
  expect(unpinned).toEqual([])
})

test.each(workflows)(
  'jobs of %s have the rights that they name, and no other may write',
  (path) => {
    const { permissions, jobs } = readWorkflow(path)
    expect(Object.values(permissions).filter((right) => right !== 'read')).toEqual([])
    for (const [name, job] of Object.entries(jobs)) {
      if (path.endsWith('release.yml')) expect(job.permissions, name).toBeDefined()
    }
  },
)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floe-workflows-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const nameImages = (target: string, env: Record<string, string>) =>
  execFileSync(process.execPath, [join(root, 'deploy/release/image-names.mjs'), target], {
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })

test('images are named after their target, at as many hubs as there are', () => {
  const github = { GITHUB_IMAGES: 'hub.example/Some/Floe' }
  expect(nameImages('floe', github)).toBe(
    'names=hub.example/some/floe\nfirst=hub.example/some/floe\n',
  )
  const both = { ...github, DOCKERHUB_IMAGES: 'other.example/some/floe' }
  expect(nameImages('all-in-one', both)).toBe(
    'names=hub.example/some/floe-all-in-one,other.example/some/floe-all-in-one\n' +
      'first=hub.example/some/floe-all-in-one\n',
  )
  expect(() => nameImages('floe', {})).toThrow('Usage')
})

test('the images of all architectures become one at each hub, and each is signed', () => {
  // The hubs are not here: these note what they would be asked for.
  const calls = join(folder, 'calls')
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  for (const program of ['docker', 'cosign']) {
    const lines = [
      '#!/bin/sh',
      `echo "${program} $*" >> '${calls}'`,
      'case $* in *inspect*) echo sha256:whole ;; esac',
    ]
    writeFileSync(join(programs, program), `${lines.join('\n')}\n`)
    chmodSync(join(programs, program), 0o755)
  }
  const digests = join(folder, 'digests')
  mkdirSync(digests)
  for (const digest of ['aa', 'bb']) writeFileSync(join(digests, digest), '')
  const output = execFileSync(
    join(root, 'deploy/release/join-images.sh'),
    [digests, '1.2.3-floe.4', 'one.example/floe,two.example/floe'],
    { env: { PATH: `${programs}:${process.env['PATH']}` }, encoding: 'utf8' },
  )
  expect(output).toBe('digest=sha256:whole\n')
  const asked = ['one.example/floe', 'two.example/floe'].flatMap((name) => [
    `docker buildx imagetools create --tag ${name}:1.2.3-floe.4 --tag ${name}:latest ${name}@sha256:aa ${name}@sha256:bb`,
    `docker buildx imagetools inspect ${name}:1.2.3-floe.4 --format {{.Manifest.Digest}}`,
    `cosign sign --yes ${name}@sha256:whole`,
  ])
  expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual(asked)
})
