import { HEALTH_READY_PATH } from '@floe/contracts'
import dockerignore from '@balena/dockerignore'
import { describe, expect, test } from 'vitest'
import { listCommitted, read } from '../architecture/repository.ts'
import { findStep, readDockerfile } from './dockerfile.ts'
import { isPinned } from './pinned.ts'

const stages = readDockerfile(read('deploy/Dockerfile'))
const names = stages.map(({ name }) => name)

test('the Dockerfile makes both images', () => {
  expect(names).toEqual(expect.arrayContaining(['floe', 'all-in-one']))
})

test('every base image is one and the same, by version and digest', () => {
  const images = new Set(stages.map(({ base }) => base).filter((base) => !names.includes(base)))
  expect([...images].filter((image) => !isPinned(image))).toEqual([])
  expect([...images]).toEqual([expect.stringMatching(/^node:24\.\d+\.\d+-/)])
})

test('the scanner is one image wherever it runs', () => {
  const places = [
    'deploy/helm/floe/values.yaml',
    'docker-compose.yml',
    'k8s/components/antivirus/clamav.yaml',
  ]
  const images = new Set(places.map((path) => /image: (clamav\S+)$/m.exec(read(path))?.[1]))
  expect([...images].filter((image) => isPinned(image ?? ''))).toHaveLength(1)
  expect(images.size).toBe(1)
})

test('each image from elsewhere is named in one place, but the scanner, whatever else speaks of it', () => {
  const digest = /\b[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}/g
  const named = listCommitted(
    /^(?!.*\.(?:png|jpe?g|gif|webp|avif|ico|zip|pdf|gz|br)$|package-lock)/,
  )
    .flatMap((path) => (read(path).match(digest) ?? []).map((image) => ({ path, image })))
    .map(({ path, image }) => `${path}: ${image.split(':')[0]}`)
  expect(named.sort()).toEqual([
    'deploy/Dockerfile: node',
    'deploy/helm/floe/values.yaml: clamav/clamav',
    'docker-compose.yml: axllent/mailpit',
    'docker-compose.yml: clamav/clamav',
    'docker-compose.yml: pgsty/silo',
    'docker-compose.yml: postgres',
    'docker-compose.yml: redis',
    'k8s/components/antivirus/clamav.yaml: clamav/clamav',
  ])
  // Neither Kubernetes nor the other Compose file runs another image that is not ours.
  const images = [
    'k8s/base/kustomization.yaml',
    'deploy/all-in-one.compose.yml',
    'docker-compose.yml',
  ]
    .flatMap((path) => [...read(path).matchAll(/^\s*(?:image|newName): (\S+)/gm)])
    .map(([, image = '']) => image)
  const foreign = images.filter((image) => !/(?:^|[/{-])floe/i.test(image))
  expect(foreign.filter((image) => !isPinned(image))).toEqual([])
})

test('what is copied into an image exists', () => {
  const context = dockerignore.default().add(read('.dockerignore')).filter(listCommitted())
  const built = /\/(?:dist|node_modules|empty)$/
  const missing = stages
    .flatMap(({ steps }) => steps)
    .filter(({ keyword }) => keyword === 'COPY')
    .flatMap(({ words, flags }) => {
      const from = flags.get('from')
      if (from !== undefined && !names.includes(from)) return [`stage ${from}`]
      return words.slice(0, -1).filter((source) => {
        const path = source.replace(/^\/home\/node\//, '')
        return !built.test(source) && !matches(context, path)
      })
    })
  expect(missing).toEqual([])
})

test('neither secrets nor what was built elsewhere get into a build', () => {
  const kept = dockerignore
    .default()
    .add(read('.dockerignore'))
    .filter([
      '.env',
      '.git/config',
      'data/secret.key',
      'bin/dist/main.js',
      'node_modules/zod/package.json',
      'packages/db/node_modules/x/index.js',
      'packages/db/src/migrate.integration.test.ts',
      'packages/db/src/migrate.ts',
    ])
  expect(kept).toEqual(['packages/db/src/migrate.ts'])
})

describe.each(['floe', 'all-in-one'])('the image %s', (image) => {
  test('runs as a user that Kubernetes can tell from root', () => {
    expect(findStep(stages, image, 'USER')?.text).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  test('asks for its own readiness, without a program of the distribution', () => {
    const check = findStep(stages, image, 'HEALTHCHECK')
    expect(check?.command).toEqual(['node', 'deploy/healthcheck.mjs'])
    expect(read('deploy/healthcheck.mjs')).toContain(`'${HEALTH_READY_PATH}'`)
  })

  test('starts Floe itself, so that a stop reaches it, with the flags of npm start', () => {
    const start = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start
    const flags = start.split(' ').filter((word) => word.startsWith('--'))
    expect(flags).not.toEqual([])
    expect(findStep(stages, image, 'CMD')?.command).toEqual(['node', ...flags, 'bin/dist/main.js'])
    expect(findStep(stages, image, 'ENTRYPOINT')).toBeUndefined()
  })
})

function matches(files: readonly string[], path: string): boolean {
  return path === '.' || files.some((file) => file === path || file.startsWith(`${path}/`))
}
