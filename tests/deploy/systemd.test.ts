import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { readEnvironment } from '@floe/config'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { read, root } from '../architecture/repository.ts'
import { isOnPath } from './on-path.ts'

const script = join(root, 'deploy/systemd/install.sh')
const unitPath = 'etc/systemd/system/floe.service'
const wantsPath = 'etc/systemd/system/multi-user.target.wants/floe.service'
const settingsPath = 'etc/floe/floe.env'
const isRoot = process.getuid?.() === 0
const architecture = process.arch

let folder: string
/** What the script takes for the root of the machine. */
let target: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'floe-systemd-'))
  target = join(folder, 'target')
  write('target/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n')
  write('target/etc/group', 'root:x:0:\n')
  write('target/usr/bin/node', '#!/bin/sh\necho v20.19.0\n', 0o755)
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('install.sh', () => {
  test('puts a release, its settings and its service where they belong', () => {
    const { output } = install(pack('1.0.0'))
    expect(output).toContain('Floe 1.0.0 is installed')
    expect(readlinkSync(inTarget('opt/floe/current'))).toBe('1.0.0')
    const program = inTarget('opt/floe/current/bin/dist/main.js')
    expect(readFileSync(program, 'utf8')).toContain('1.0.0')
    expect(readFileSync(inTarget(unitPath), 'utf8')).toBe(read('deploy/systemd/floe.service'))
    expect(readdirSync(inTarget('opt/floe')).sort()).toEqual(['1.0.0', 'current'])
    if (isOnPath('systemctl')) expect(readlinkSync(inTarget(wantsPath))).toBe(`/${unitPath}`)
    else expect(existsSync(inTarget(wantsPath))).toBe(false)
  })

  test('lets nobody else write the program or read settings and data', () => {
    const { output } = install(pack('1.0.0'))
    const modes = ['opt/floe/1.0.0', 'etc/floe', settingsPath, 'var/lib/floe', unitPath].map(modeOf)
    expect(modes).toEqual(['755', '750', '640', '750', '644'])
    // In the release, everybody may write it.
    expect(modeOf('opt/floe/1.0.0/bin/dist/main.js')).toBe('644')
    if (!isRoot) {
      expect(output).toContain('Create the system user floe')
      return
    }
    const [, uid, gid] =
      /^floe:[^:]*:(\d+):(\d+)::?[^:]*:\/var\/lib\/floe:\/usr\/sbin\/nologin$/m.exec(
        readFileSync(inTarget('etc/passwd'), 'utf8'),
      ) ?? expect.fail('no user')
    expect(ownerOf('opt/floe/1.0.0/bin/dist/main.js')).toBe('0:0')
    expect(ownerOf(settingsPath)).toBe(`0:${gid}`)
    expect(ownerOf('var/lib/floe')).toBe(`${uid}:${gid}`)
  })

  test('writes settings that Floe can start with, and takes an address to begin with', () => {
    install(pack('1.0.0'), { PUBLIC_URL: 'https://files.example.org' })
    const variables = parseEnv(readFileSync(inTarget(settingsPath), 'utf8'))
    expect(readEnvironment(variables)).toMatchObject({
      environment: {
        publicUrl: 'https://files.example.org',
        port: 3000,
        dataDirectory: '/var/lib/floe',
      },
    })
  })

  test('upgrades, keeps the version before and the settings, and drops older ones', () => {
    install(pack('1.0.0'))
    writeFileSync(inTarget(settingsPath), 'PORT=4000\n')
    write('target/var/lib/floe/secret.key', 'kept')
    const { output } = install(pack('1.1.0+floe.2'))
    expect(output).toContain('restore the backup')
    expect(readlinkSync(inTarget('opt/floe/current'))).toBe('1.1.0+floe.2')
    expect(readdirSync(inTarget('opt/floe')).sort()).toEqual(['1.0.0', '1.1.0+floe.2', 'current'])
    install(pack('1.2.0'))
    expect(readdirSync(inTarget('opt/floe')).sort()).toEqual(['1.1.0+floe.2', '1.2.0', 'current'])
    expect(readFileSync(inTarget(settingsPath), 'utf8')).toBe('PORT=4000\n')
    expect(readFileSync(inTarget('var/lib/floe/secret.key'), 'utf8')).toBe('kept')
  })

  test('can be run again with the same release', () => {
    install(pack('1.0.0'))
    install(pack('1.1.0'))
    install(pack('1.1.0'))
    expect(readdirSync(inTarget('opt/floe')).sort()).toEqual(['1.0.0', '1.1.0', 'current'])
  })

  test('uninstalls the program and the service, not data and settings', () => {
    install(pack('1.0.0'))
    const { output } = run(['--root', target, '--uninstall'])
    expect(output).toContain('Data stays')
    for (const path of ['opt/floe', unitPath, wantsPath]) {
      expect(existsSync(inTarget(path)), path).toBe(false)
    }
    for (const path of ['var/lib/floe', settingsPath]) {
      expect(existsSync(inTarget(path)), path).toBe(true)
    }
  })

  test('installs what SHA256SUMS lists, and nothing that differs from it', () => {
    const release = pack('1.0.0')
    const sum = createHash('sha256').update(readFileSync(release)).digest('hex')
    const name = release.slice(folder.length + 1)
    write('SHA256SUMS', `${'0'.repeat(64)}  ${name}\n`)
    expect(refuse(release)).toContain('not what SHA256SUMS says')
    write('SHA256SUMS', `${sum}  another-file\n`)
    expect(refuse(release)).toContain('does not list')
    expect(existsSync(inTarget('opt/floe'))).toBe(false)
    write('SHA256SUMS', `${'0'.repeat(64)}  another-file\n${sum}  ${name}\n`)
    expect(install(release).output).toContain('is what SHA256SUMS says')
  })

  test('refuses what is no release of this machine, and leaves nothing of it', () => {
    expect(refuse(pack('1.0.0', { without: 'web/dist' }))).toContain('has no web/dist')
    expect(readdirSync(inTarget('opt/floe'))).toEqual([])
    const other = architecture === 'x64' ? 'arm64' : 'x64'
    expect(refuse(pack('1.0.0', { for: other }))).toContain(`is for ${other}`)
    write('floe.tar.xz', '')
    expect(refuse(join(folder, 'floe.tar.xz'))).toContain('not named like a release')
    expect(existsSync(inTarget(unitPath))).toBe(false)
  })

  test.each(['v18.20.4', 'v20.18.3', 'v21.7.3', 'v22.11.0'])(
    'says how to get a Node.js newer than %s',
    (version) => {
      write('target/usr/bin/node', `#!/bin/sh\necho ${version}\n`, 0o755)
      expect(refuse(pack('1.0.0'))).toContain(`Node.js ${version} is too old. Floe needs 20.19`)
    },
  )

  test('says how to get Node.js where there is none', () => {
    rmSync(inTarget('usr/bin/node'))
    expect(refuse(pack('1.0.0'))).toContain('apt-get install nodejs')
  })

  test('is a script for every POSIX shell', () => {
    const [program = '', ...args] = isOnPath('shellcheck')
      ? ['shellcheck', '-s', 'sh']
      : ['sh', '-n']
    execFileSync(program, [...args, script])
    expect(read('deploy/systemd/install.sh')).toMatch(/^#!\/bin\/sh\n/)
  })
})

describe('floe.service', () => {
  const unit = readUnit()

  test('is a unit as systemd knows it', () => {
    if (!isOnPath('systemd-analyze')) {
      expect(Object.keys(unit)).toEqual(['Unit', 'Service', 'Install'])
      expect(unit['Service']?.['ExecStart']).toMatch(/^\/usr\/bin\/env node /)
      return
    }
    write('target/usr/bin/env', '#!/bin/sh\n', 0o755)
    install(pack('1.0.0'))
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', '--recursive-errors=no', `--root=${target}`, `/${unitPath}`],
      { encoding: 'utf8' },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test('starts Floe itself with the flags of npm start, and leaves it time to stop', () => {
    const { start = '' } = (JSON.parse(read('package.json')) as { scripts: { start?: string } })
      .scripts
    const flags = start.split(' ').filter((word) => word.startsWith('--'))
    expect(unit['Service']?.['ExecStart']).toBe(
      `/usr/bin/env node ${flags.join(' ')} bin/dist/main.js`,
    )
    expect(unit['Service']).toMatchObject({ KillSignal: 'SIGTERM', Restart: 'on-failure' })
    expect(Number(unit['Service']?.['TimeoutStopSec'])).toBeGreaterThan(10)
  })

  test('gives Floe one folder to write to, no rights, and V8 what it needs', () => {
    expect(unit['Service']).toMatchObject({
      User: 'floe',
      StateDirectory: 'floe',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
    })
    expect(unit['Service']).not.toHaveProperty('MemoryDenyWriteExecute')
  })
})

function readUnit(): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {}
  let section: Record<string, string> = {}
  for (const line of read('deploy/systemd/floe.service').split('\n')) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? []
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (title !== undefined) section = sections[title] = {}
    else if (key !== undefined) section[key] = value ?? ''
  }
  return sections
}

/** A release that has just enough in it, made as others may make theirs: open to everybody. */
function pack(version: string, options: { without?: string; for?: string } = {}): string {
  const name = `floe-${version}-linux-${options.for ?? architecture}`
  const files = ['bin/dist/main.js', 'node_modules/a/index.js', 'web/dist/index.html']
  for (const path of [...files, 'package.json']) {
    if (options.without === undefined || !path.startsWith(options.without)) {
      write(`${name}/${path}`, `// ${version}\n`, 0o666)
    }
  }
  execFileSync('tar', ['-cJf', `${name}.tar.xz`, name], { cwd: folder })
  rmSync(join(folder, name), { recursive: true })
  return join(folder, `${name}.tar.xz`)
}

function write(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  chmodSync(join(folder, path), mode)
}

function install(release: string, environment: Record<string, string> = {}) {
  const result = run(['--root', target, release], environment)
  expect(result).toMatchObject({ status: 0, problem: '' })
  return result
}

function refuse(release: string): string {
  const { status, problem } = run(['--root', target, release])
  expect(status).toBe(1)
  return problem
}

function run(args: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', [script, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  })
  return { status, output: stdout, problem: stderr }
}

function inTarget(path: string): string {
  return join(target, path)
}

function modeOf(path: string): string {
  return (statSync(inTarget(path)).mode & 0o777).toString(8)
}

function ownerOf(path: string): string {
  const { uid, gid } = statSync(inTarget(path))
  return `${uid}:${gid}`
}
