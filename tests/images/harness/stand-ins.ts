import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { read } from '../../architecture/repository.ts'
import type { Podman } from './podman.ts'

const run = promisify(execFile)
const sources = fileURLToPath(new URL('../stand-ins', import.meta.url))

/**
 * An image like the one of Node.js that the Dockerfile names, made of the same distribution and the
 * same version of Node.js: those of the registries cannot be fetched everywhere. Returns its name;
 * a later run takes it as it is.
 */
export async function makeNodeImage(podman: Podman): Promise<string> {
  const [, version = '', distribution = ''] =
    /ARG NODE=node:([\d.]+)-(\w+)-slim@/.exec(read('deploy/Dockerfile')) ?? []
  const name = `localhost/floe-stand-in-node:${version}-${distribution}`
  if (await exists(podman, name)) return name
  const folder = await mkdtemp(join(tmpdir(), 'floe-stand-in-'))
  try {
    const root = join(folder, 'root')
    await run('debootstrap', ['--variant=minbase', distribution, root])
    await addNode(root, { folder, version })
    await run('chroot', [root, 'groupadd', '--gid', '1000', 'node'])
    const user = ['--uid', '1000', '--gid', 'node', '--create-home', 'node']
    await run('chroot', [root, 'useradd', ...user])
    // As slim images are.
    for (const path of ['doc', 'info', 'locale', 'man']) await empty(join(root, 'usr/share', path))
    for (const path of ['cache/apt', 'lib/apt/lists', 'log']) await empty(join(root, 'var', path))
    const changes = await trustOurCertificates(root)
    const archive = join(folder, 'root.tar')
    await run('tar', ['--create', '--file', archive, '--directory', root, '.'])
    await podman.run('import', ...changes.flatMap((one) => ['--change', one]), archive, name)
  } finally {
    await rm(folder, { recursive: true })
  }
  return name
}

/** PostgreSQL, Redis and an S3 server, for the names that docker-compose.yml has of registries. */
export async function makeStoresImage(podman: Podman, base: string): Promise<string> {
  const name = `localhost/floe-stand-in-stores:1`
  const context = await mkdtemp(join(tmpdir(), 'floe-stores-'))
  try {
    await cp(sources, context, { recursive: true })
    const { stdout: minio } = await run('which', ['minio'])
    await copyFile(minio.trim(), join(context, 'minio'))
    const file = join(context, 'stores.Dockerfile')
    const options = ['--network=host', `--build-arg=BASE=${base}`, '--file', file, '--tag', name]
    await podman.run('build', ...options, context)
  } finally {
    await rm(context, { recursive: true })
  }
  return name
}

async function exists(podman: Podman, name: string): Promise<boolean> {
  return podman.run('image', 'exists', name).then(
    () => true,
    () => false,
  )
}

/** Node.js is in the npm registry too. */
async function addNode(root: string, { folder, version }: { folder: string; version: string }) {
  const modules = join(root, 'usr/local/lib/node_modules')
  await mkdir(modules, { recursive: true })
  const unpack = async (what: string) => {
    const { stdout } = await run('npm', ['pack', '--silent', what], { cwd: folder })
    await run('tar', ['--extract', '--file', stdout.trim()], { cwd: folder })
    return join(folder, 'package')
  }
  const node = await unpack(`node-linux-${process.arch}@${version}`)
  await copyFile(join(node, 'bin/node'), join(root, 'usr/local/bin/node'))
  await rm(node, { recursive: true })
  await cp(await unpack('npm@11'), join(modules, 'npm'), { recursive: true })
  for (const name of ['npm', 'npx']) {
    const target = `../lib/node_modules/npm/bin/${name}-cli.js`
    await symlink(target, join(root, 'usr/local/bin', name))
    await run('chmod', ['755', join(modules, 'npm/bin', `${name}-cli.js`)])
  }
}

/** Where this machine knows more certificates than the distribution, builds need them as well. */
async function trustOurCertificates(root: string): Promise<string[]> {
  const ours = process.env['NODE_EXTRA_CA_CERTS']
  if (!ours) return []
  await mkdir(join(root, 'etc/ssl/certs'), { recursive: true })
  await copyFile(ours, join(root, 'etc/ssl/certs/ours.crt'))
  return ['ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ours.crt']
}

async function empty(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await mkdir(path)
}
