import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environmentNames, readEnvironment } from './environment.ts'

function problemsOf(variables: Record<string, string>): string[] {
  const result = readEnvironment(variables)
  return 'problems' in result ? result.problems.map(({ variable }) => variable) : []
}

describe('readEnvironment', () => {
  it('needs nothing in the embedded arrangement', () => {
    const result = readEnvironment({})
    expect(result).toMatchObject({
      environment: { port: 3000, publicUrl: null, databaseUrl: null, trustedProxies: [] },
    })
  })

  it('treats an empty variable as absent', () => {
    expect(readEnvironment({ PORT: '', REDIS_URL: '' })).toMatchObject({
      environment: { port: 3000, redisUrl: null },
    })
  })

  it.each(['HOST', 'METRICS_HOST'])('takes addresses and names for %s', (variable) => {
    for (const text of ['0.0.0.0', '::1', 'localhost', 'files.example.org', '7f3a', 'my_host']) {
      expect(problemsOf({ [variable]: text }), text).toEqual([])
    }
    for (const text of ['999.1.1.1x', '10.0.0', '127.0.0.1:3000', '[::1]', 'a b', 'http://a']) {
      expect(problemsOf({ [variable]: text }), text).toEqual([variable])
    }
  })

  it('runs as the user and group it is told, never as root', () => {
    expect(readEnvironment({})).toMatchObject({ environment: { runAs: null } })
    expect(readEnvironment({ PUID: '1026', PGID: '100' })).toMatchObject({
      environment: { runAs: { uid: 1026, gid: 100 } },
    })
    expect(readEnvironment({ PUID: '1026' })).toMatchObject({
      environment: { runAs: { uid: 1026, gid: 1026 } },
    })
    for (const none of ['0', '-1', 'ada']) expect(problemsOf({ PUID: none })).toEqual(['PUID'])
  })

  it('bounds connections generously, or as it is told', () => {
    expect(readEnvironment({})).toMatchObject({ environment: { maxConnections: 10_000 } })
    expect(readEnvironment({ MAX_CONNECTIONS: '500' })).toMatchObject({
      environment: { maxConnections: 500 },
    })
    for (const none of ['0', '-1', 'many', '1e4']) {
      expect(problemsOf({ MAX_CONNECTIONS: none })).toEqual(['MAX_CONNECTIONS'])
    }
  })

  it('has a process for each core, or as many as told, where the file service runs alone', () => {
    const alone = {
      SERVICES: 'file',
      DATABASE_URL: 'postgres://localhost/floe',
      INTERNAL_SECRET: 'sixteen-letters!',
    }
    const processesOf = (variables: Record<string, string>) => {
      const result = readEnvironment(variables)
      return 'environment' in result ? result.environment.processes : result.problems
    }
    expect(processesOf(alone)).toBe(availableParallelism())
    expect(processesOf({ ...alone, FILE_PROCESSES: '3' })).toBe(3)
    expect(processesOf({ ...alone, FILE_PROCESSES: '3', SERVICES: 'share,file' })).toBe(1)
    expect(processesOf({ FILE_PROCESSES: '3' })).toBe(1)
    for (const none of ['0', '-1', 'many', '100']) {
      expect(problemsOf({ FILE_PROCESSES: none })).toEqual(['FILE_PROCESSES'])
    }
  })

  it('keeps metrics only where a port is set for them, on loopback unless told otherwise', () => {
    expect(readEnvironment({})).toMatchObject({ environment: { metrics: null } })
    expect(readEnvironment({ METRICS_PORT: '9100' })).toMatchObject({
      environment: { metrics: { port: 9100, host: '127.0.0.1' } },
    })
    expect(problemsOf({ METRICS_PORT: 'many' })).toEqual(['METRICS_PORT'])
  })

  it('keeps objects in S3 only where all of it is named', () => {
    const s3 = { S3_BUCKET: 'floe', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }
    expect(readEnvironment({})).toMatchObject({ environment: { s3: null } })
    expect(readEnvironment({ ...s3, S3_ENDPOINT: 'http://minio:9000/' })).toMatchObject({
      environment: {
        s3: { endpoint: 'http://minio:9000', region: 'us-east-1', bucket: 'floe' },
      },
    })
    expect(problemsOf({ S3_ENDPOINT: 'minio' })).toEqual(['S3_ENDPOINT'])
    expect(problemsOf({ S3_ENDPOINT: 'http://minio:9000' })).toEqual(Object.keys(s3))
    expect(problemsOf({ S3_BUCKET: 'floe' })).toEqual(['S3_ACCESS_KEY', 'S3_SECRET_KEY'])
  })

  it('sends people to S3 only at an address that is fit for it', () => {
    const s3 = { S3_BUCKET: 'floe', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }
    const at = (publicUrl: string, S3_PUBLIC_ENDPOINT: string) =>
      problemsOf({ ...s3, PUBLIC_URL: publicUrl, S3_PUBLIC_ENDPOINT })
    expect(readEnvironment({ ...s3, S3_PUBLIC_ENDPOINT: 'https://s3.test/' })).toMatchObject({
      environment: { s3: { publicEndpoint: 'https://s3.test' } },
    })
    expect(problemsOf({ S3_PUBLIC_ENDPOINT: 'https://s3.test' })).toEqual(Object.keys(s3))
    expect(at('https://floe.test', 'https://s3.test')).toEqual([])
    expect(at('http://floe.test', 'http://floe.test:9000')).toEqual([])
    expect(at('https://floe.test', 'https://floe.test/s3')).toEqual(['S3_PUBLIC_ENDPOINT'])
    expect(at('https://floe.test', 'http://s3.test')).toEqual(['S3_PUBLIC_ENDPOINT'])
  })

  it('leaves files to a proxy only where they are on disk, by a path that all proxies read alike', () => {
    const header = (SENDFILE_HEADER: string, more: Record<string, string> = {}) => ({
      SENDFILE_HEADER,
      DATA_DIR: '/srv/floe',
      ...more,
    })
    const prefixes = [
      [header('X-Accel-Redirect'), '/floe-objects/'],
      [header('X-Accel-Redirect', { SENDFILE_PREFIX: '/hidden' }), '/hidden/'],
      [header('X-Accel-Redirect', { DATA_DIR: '/srv/our files' }), '/floe-objects/'],
      [header('X-Sendfile'), '/srv/floe/objects/'],
      [header('X-Sendfile', { SENDFILE_PREFIX: '/mnt/objects/' }), '/mnt/objects/'],
    ] as const
    expect(readEnvironment({})).toMatchObject({ environment: { sendfile: null } })
    for (const [variables, prefix] of prefixes) {
      expect(readEnvironment(variables)).toMatchObject({
        environment: { sendfile: { header: variables.SENDFILE_HEADER, prefix } },
      })
    }
    const s3 = { S3_BUCKET: 'floe', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }
    expect(readEnvironment(header('X-Sendfile', s3))).toEqual({
      problems: [
        {
          variable: 'SENDFILE_HEADER',
          message: 'cannot be combined with S3_BUCKET: a proxy can send files from disk only',
        },
      ],
    })
    expect(readEnvironment(header('x-sendfile'))).toEqual({
      problems: [
        { variable: 'SENDFILE_HEADER', message: 'must be one of X-Accel-Redirect, X-Sendfile' },
      ],
    })
    expect(problemsOf({ SENDFILE_PREFIX: '/hidden/' })).toEqual(['SENDFILE_HEADER'])
    expect(problemsOf(header('X-Sendfile', { DATA_DIR: '/srv/our files' }))).toEqual(['DATA_DIR'])
    for (const SENDFILE_PREFIX of ['hidden/', '/a%2Fb/', '/a?b/', '//a/', '/ä/', '/a\nb/']) {
      const variables = header('X-Accel-Redirect', { SENDFILE_PREFIX })
      expect(problemsOf(variables), SENDFILE_PREFIX).toEqual(['SENDFILE_PREFIX'])
    }
  })

  it('finds the virus scanner by host and port, or by the path of its socket', () => {
    expect(readEnvironment({})).toMatchObject({ environment: { clamav: null } })
    expect(readEnvironment({ CLAMAV_HOST: 'clamav' })).toMatchObject({
      environment: { clamav: { host: 'clamav', port: 3310 } },
    })
    const socket = { CLAMAV_HOST: '/run/clamd.ctl', CLAMAV_PORT: '' }
    expect(readEnvironment(socket)).toMatchObject({
      environment: { clamav: { host: '/run/clamd.ctl' } },
    })
    expect(problemsOf({ CLAMAV_PORT: '3310' })).toEqual(['CLAMAV_HOST'])
  })

  it('lists every problem at once', () => {
    expect(
      problemsOf({ PORT: '70000', REDIS_URL: 'http://x', PUBLIC_URL: 'floe', SERVICES: 'mail' }),
    ).toEqual(['PORT', 'PUBLIC_URL', 'SERVICES', 'REDIS_URL'])
  })

  it('takes settings from a file and from a variable, which counts more', () => {
    const folder = mkdtempSync(join(tmpdir(), 'floe-settings-'))
    const file = join(folder, 'settings.json')
    writeFileSync(file, '{"general.appName":"File","share.maxExpiration":24}')
    const variables = { SETTINGS_FILE: file, SETTINGS: '{"general.appName":"Variable"}' }
    expect(readEnvironment(variables)).toMatchObject({
      environment: { settings: { 'general.appName': 'Variable', 'share.maxExpiration': 24 } },
    })
    writeFileSync(file, '["general.appName"]')
    expect(problemsOf({ SETTINGS_FILE: file, SETTINGS: '{' })).toEqual([
      'SETTINGS',
      'SETTINGS_FILE',
    ])
    rmSync(folder, { recursive: true })
    expect(problemsOf({ SETTINGS_FILE: file })).toEqual(['SETTINGS_FILE'])
    expect(problemsOf({ SETTINGS: '{"general.appName":null}' })).toEqual(['SETTINGS'])
  })

  it('brings passwords back by PASSWORD_SIGN_IN, whatever settings say', () => {
    const SETTINGS = '{"oauth.disablePassword":true}'
    expect(readEnvironment({ SETTINGS, PASSWORD_SIGN_IN: '1' })).toMatchObject({
      environment: { settings: { 'oauth.disablePassword': false } },
    })
    expect(readEnvironment({ SETTINGS })).toMatchObject({
      environment: { settings: { 'oauth.disablePassword': true } },
    })
    expect(problemsOf({ PASSWORD_SIGN_IN: 'yes' })).toEqual(['PASSWORD_SIGN_IN'])
  })

  describe('a settings file in YAML', () => {
    const read = (text: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'floe-settings-'))
      const file = join(folder, 'config.yaml')
      writeFileSync(file, text)
      const result = readEnvironment({ SETTINGS_FILE: file })
      rmSync(folder, { recursive: true })
      return result
    }

    it('names settings by category, as the config.yaml of Pingvin Share', () => {
      expect(
        read('general:\n  appName: Ice\n  secureCookies: "true"\nsmtp:\n  port: 587\nldap:\n'),
      ).toMatchObject({
        environment: {
          settings: {},
          foreignSettings: [
            { name: 'general.appName', value: 'Ice' },
            { name: 'general.secureCookies', value: 'true' },
            { name: 'smtp.port', value: '587' },
          ],
          firstUser: null,
        },
      })
    })

    const user = 'username: ann, email: ann@example.org, password: "long enough", isAdmin: true'

    it('has a first user, where it is enabled', () => {
      const firstUser = { username: 'ann', email: 'ann@example.org', password: 'long enough' }
      for (const enabled of ['true', '"true"']) {
        expect(read(`initUser: { enabled: ${enabled}, ${user} }`)).toMatchObject({
          environment: { firstUser, foreignSettings: [] },
        })
      }
      expect(read(`initUser: { enabled: false, ${user} }`)).toMatchObject({
        environment: { firstUser: null },
      })
    })

    it.each([
      ['initUser: { enabled: true, username: ann, password: "long enough" }', 'initUser.email'],
      [
        'initUser: { enabled: true, username: ann, email: a@b.org, password: x }',
        'initUser.password',
      ],
      ['general: appName', 'must be YAML'],
      ['- general', 'must be YAML'],
      ['general: [1', 'must be YAML'],
    ])('is refused with what is wrong in %j', (text, told) => {
      expect(read(text)).toMatchObject({
        problems: [{ variable: 'SETTINGS_FILE', message: expect.stringContaining(told) as string }],
      })
    })
  })

  it('takes a secret from a file, without the line break at its end', () => {
    const folder = mkdtempSync(join(tmpdir(), 'floe-secrets-'))
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const files = {
      DATABASE_URL_FILE: write('database', 'postgres://floe:hush@postgres/floe\n'),
      REDIS_URL_FILE: write('redis', 'redis://redis:6379'),
      S3_ACCESS_KEY_FILE: write('key', 'floe\n'),
      S3_SECRET_KEY_FILE: write('secret', 'hush\r\n'),
      INTERNAL_SECRET_FILE: write('internal', '0123456789abcdef\n'),
    }
    expect(readEnvironment({ SERVICES: 'file', S3_BUCKET: 'floe', ...files })).toMatchObject({
      environment: {
        databaseUrl: 'postgres://floe:hush@postgres/floe',
        redisUrl: 'redis://redis:6379',
        s3: { accessKey: 'floe', secretKey: 'hush' },
        internalSecret: '0123456789abcdef',
      },
    })
    write('redis', 'http://redis')
    write('internal', '\n')
    expect(problemsOf({ SERVICES: 'file', ...files, S3_ACCESS_KEY: 'twice' })).toEqual([
      'S3_ACCESS_KEY_FILE',
      'INTERNAL_SECRET_FILE',
      'REDIS_URL_FILE',
    ])
    rmSync(folder, { recursive: true })
    expect(problemsOf({ SERVICES: 'file', ...files })).toEqual(Object.keys(files))
  })

  it('knows the names of all that it reads', () => {
    expect(environmentNames).toEqual(
      expect.arrayContaining(['PORT', 'DATABASE_URL', 'DATABASE_URL_FILE', 'SETTINGS_FILE']),
    )
    expect(environmentNames).not.toContain('PORT_FILE')
  })

  it('asks a part for what one process would give itself', () => {
    expect(problemsOf({ SERVICES: 'file' })).toEqual(['DATABASE_URL', 'INTERNAL_SECRET'])
  })

  it.each(['10.0.0.0/33', '::1/129', 'proxy', '1.2.3.4/8/9', '*'])(
    'refuses to trust "%s"',
    (entry) => {
      expect(problemsOf({ TRUSTED_PROXIES: `127.0.0.1, ${entry}` })).toEqual(['TRUSTED_PROXIES'])
    },
  )
})
