import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentNames, readEnvironment } from '@floe/config'
import { antivirusSettings } from '@floe/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read, root } from '../architecture/repository.ts'
import { type ComposeService, readCompose } from './compose-file.ts'
import { findStep, readDockerfile } from './dockerfile.ts'
import { isPinned } from './pinned.ts'
import { createValidator } from './schema.ts'

const stages = readDockerfile(read('deploy/Dockerfile'))
const findProblems = createValidator(
  JSON.parse(read('tests/deploy/schemas/compose.json')) as object,
)

describe.each(['docker-compose.yml', 'deploy/all-in-one.compose.yml'])('%s', (path) => {
  const { services, volumes, networks = { default: null } } = readCompose(path)
  const all = Object.entries(services)
  const builtHere = all.filter(([, { build }]) => build !== undefined)

  test('is what the Compose specification allows', () => {
    expect(findProblems(readCompose(path))).toEqual([])
  })

  test('takes images from elsewhere by version and digest', () => {
    const images = all.filter(([, { build }]) => !build).map(([, { image }]) => image)
    expect(images.filter((image) => !isPinned(image))).toEqual([])
    for (const [, { image, build }] of builtHere) {
      expect(image).toMatch(/:local$/)
      expect(stages.map(({ name }) => name)).toContain(build?.target)
    }
  })

  test.each(all)('%s has no more rights than it needs', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.tmpfs).toContain('/tmp')
    const user = service.user ?? findStep(stages, service.build?.target ?? '', 'USER')?.text
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })

  test('starts in the order of health, and whatever runs can be asked for it', () => {
    const hasEnd = (service: ComposeService) => service.command?.includes(secretsProgram) ?? false
    const isAsked = ({ healthcheck, build }: ComposeService) =>
      healthcheck !== undefined ||
      findStep(stages, build?.target ?? '', 'HEALTHCHECK') !== undefined
    expect(all.filter(([, service]) => !isAsked(service) && !hasEnd(service))).toEqual([])
    const wrong = all.flatMap(([name, { depends_on = {} }]) =>
      Object.entries(depends_on)
        .filter(([other, { condition }]) => {
          const ends = hasEnd(services[other] ?? expect.fail(`${other} is no service`))
          return condition !== (ends ? 'service_completed_successfully' : 'service_healthy')
        })
        .map(([other]) => `${name} on ${other}`),
    )
    expect(wrong).toEqual([])
  })

  test('names variables that Floe knows, and volumes and networks that are declared', () => {
    const named = builtHere.flatMap(([, { environment = {} }]) => Object.keys(environment))
    expect(named.filter((name) => !environmentNames.includes(name))).toEqual([])
    const mounted = all.flatMap(([, service]) => (service.volumes ?? []).map(sourceOf))
    expect(new Set(mounted)).toEqual(new Set(Object.keys(volumes)))
    const joined = all
      .filter(([, { network_mode }]) => network_mode === undefined)
      .flatMap(([, service]) => service.networks ?? ['default'])
    expect(new Set(joined)).toEqual(new Set(Object.keys(networks)))
  })
})

test('Redis of docker-compose.yml acknowledges no job before it is on the disk', () => {
  const { command = [] } = readCompose('docker-compose.yml').services['redis'] ?? {}
  expect(command.join(' ')).toContain('--appendonly yes --appendfsync always')
})

describe('the virus scanner of docker-compose.yml', () => {
  const { services, configs = {} } = readCompose('docker-compose.yml')
  const clamav = services['clamav'] ?? expect.fail('no clamav')

  test('runs only where it is asked for, and Floe looks for none until it is told of one', () => {
    expect(clamav.profiles).toEqual(['antivirus'])
    for (const { environment = {}, depends_on = {} } of Object.values(services)) {
      expect(environment['CLAMAV_HOST'] ?? '').toBe('')
      expect(depends_on).not.toHaveProperty('clamav')
    }
  })

  test('is reached by what scans, and reaches its signatures, which outlive it', () => {
    expect(services['file']?.networks).toContain(clamav.networks?.[0])
    expect(services['worker']?.networks).toContain(clamav.networks?.[0])
    expect(clamav.networks).toContain('outside')
    expect(clamav.volumes).toEqual(['clamav:/var/lib/clamav'])
  })

  test('scans what Floe calls small enough, and says where it stops', () => {
    const files = Object.fromEntries(
      (clamav.configs ?? []).map(({ source, target }) => [target, configs[source]?.file ?? '']),
    )
    const clamd = read(files['/etc/clamav/clamd.conf'] ?? '')
    const megabytes = (name: string) =>
      Number(new RegExp(String.raw`^${name} (\d+)M$`, 'm').exec(clamd)?.[1]) * 2 ** 20
    const { default: limit } = antivirusSettings['antivirus.maxFileSize']
    expect(megabytes('StreamMaxLength')).toBeGreaterThanOrEqual(limit)
    expect(megabytes('MaxFileSize')).toBeGreaterThanOrEqual(limit)
    expect(megabytes('MaxScanSize')).toBeGreaterThanOrEqual(limit)
    expect(clamd).toMatch(/^AlertExceedsMax yes$/m)
    expect(clamd).toMatch(/^TCPSocket 3310$/m)
    expect(read(files['/etc/clamav/freshclam.conf'] ?? '')).toMatch(/^DatabaseMirror /m)
  })

  test('is set up by the two lines of the guide', () => {
    expect(read('docs/administer/antivirus.md')).toContain(
      `COMPOSE_PROFILES=${clamav.profiles?.[0]}\nCLAMAV_HOST=clamav\n`,
    )
  })
})

const secretsProgram = 'deploy/generate-secrets.mjs'

describe('the secrets of docker-compose.yml', () => {
  const { services } = readCompose('docker-compose.yml')
  let folder: string

  const generate = () =>
    execFileSync(process.execPath, [join(root, secretsProgram), folder], { encoding: 'utf8' })
  const contents = () =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'floe-secrets-'))
    generate()
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('are made once and differ from each other', () => {
    const first = contents()
    generate()
    expect(contents()).toEqual(first)
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length)
  })

  test('are all that the services read, and each is read', () => {
    const read = new Set(JSON.stringify(services).match(/(?<=\/secrets\/)[\w-]+/g))
    expect([...read].sort()).toEqual(readdirSync(folder).sort())
  })

  test('let every service start, with addresses that are services on a network of its own', () => {
    const floe = Object.entries(services).filter(([, { environment }]) => environment?.['SERVICES'])
    expect(floe.map(([name]) => name)).toEqual([
      'gateway',
      'auth',
      'share',
      'file',
      'admin',
      'worker',
    ])
    for (const [name, { environment = {}, networks = [] }] of floe) {
      const here = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [
          key,
          value.replace('/secrets/', `${folder}/`),
        ]),
      )
      const result = readEnvironment(here)
      const { environment: known } =
        'environment' in result ? result : expect.fail(JSON.stringify(result))
      expect(known.services).toEqual([name])
      const urls = [known.databaseUrl, known.redisUrl, known.s3?.endpoint]
      for (const url of [...urls, ...Object.values(known.serviceUrls)]) {
        const { hostname } = new URL(url ?? '')
        expect(networks).toEqual(
          expect.arrayContaining(services[hostname]?.networks?.slice(0, 1) ?? ['-']),
        )
      }
    }
  })

  test('reach PostgreSQL, Redis and the S3 server alike', () => {
    const { 'database-url': database = '', 'redis-url': redis = '', ...secrets } = contents()
    expect(new URL(database)).toMatchObject({
      username: services['postgres']?.environment?.['POSTGRES_USER'],
      pathname: `/${services['postgres']?.environment?.['POSTGRES_DB']}`,
      password: secrets['postgres-password'],
    })
    expect(new URL(redis).password).toBe(secrets['redis-password'])
    // Of MinIO's kin: a key of 3 to 20 characters, a secret of 8 to 40 where AWS sets the measure.
    expect(secrets['s3-access-key']).toMatch(/^[0-9a-f]{20}$/)
    expect(secrets['s3-secret-key']).toMatch(/^[0-9a-f]{48}$/)
  })
})

function sourceOf(volume: string | { source: string }): string {
  return typeof volume === 'string' ? (volume.split(':')[0] ?? '') : volume.source
}
