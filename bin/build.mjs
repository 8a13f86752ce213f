// Builds what `npm start` runs: one bundle for each package, service and program, the page, and the
// command line that it serves.
// Imports nothing that npm has to install until there is something to build.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** What has to be built again, by the content of its sources: times change with every checkout. */
export async function findStale() {
  const parts = [await describeServer(), await describeWeb(), await describeCommandLine()]
  const stale = await Promise.all(parts.map(isStale))
  return parts.filter((part, index) => stale[index])
}

/** @returns {Promise<{name: string, stamp: string, outputs: string[], build: () => Promise<void>}>} */
async function describeServer() {
  const entries = await findEntries()
  const folders = ['packages', 'services', 'bin'].map((folder) => join(root, folder))
  const sources = (await Promise.all(folders.map(listSources))).flat()
  return {
    name: 'server',
    stamp: await hashFiles([...sources, join(root, 'package-lock.json')]),
    outputs: Object.keys(entries).map((output) => join(root, `${output}.js`)),
    build: () => bundle(entries),
  }
}

async function describeWeb() {
  const webDir = join(root, 'web')
  const exists = existsSync(join(webDir, 'index.html'))
  const folders = exists ? [...(await listPackageFolders(webDir))] : []
  const sources = (await Promise.all(folders.map(listSources))).flat()
  return {
    name: 'web',
    stamp: await hashFiles([...sources, join(root, 'package-lock.json')]),
    outputs: exists ? [join(webDir, 'dist', 'index.html')] : [],
    build: async () => {
      if (!exists) return
      const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
      await run(vite, webDir, buildArguments)
      await run(vite, webDir, [...buildArguments, '--config', 'vite.shell.config.ts'])
      await run(join(root, 'bin', 'dist', 'precompress.js'), webDir, [])
    },
  }
}

/** One file that needs nothing else. */
async function describeCommandLine() {
  const folder = join(root, 'packages', 'cli')
  const entry = join(folder, 'src', 'main.ts')
  const exists = existsSync(entry)
  const folders = exists ? [join(root, 'packages')] : []
  const sources = (await Promise.all(folders.map(listSources))).flat()
  const outfile = join(folder, 'dist', 'floe.mjs')
  return {
    name: 'command line',
    stamp: await hashFiles([...sources, join(root, 'package-lock.json')]),
    outputs: exists ? [outfile] : [],
    build: async () => {
      if (!exists) return
      const { build } = await import('esbuild')
      await build(commandLineOptions(entry, outfile))
    },
  }
}

/**
 * Output path without its ending → source, both below the root: what a package exports, and what it
 * runs as a process of its own, which is called `…-process.ts`.
 */
async function findEntries() {
  const entries = {}
  for (const group of ['packages', 'services']) {
    for (const name of await listFolder(join(root, group))) {
      const folder = join(group, name)
      const manifest = await readFile(join(root, folder, 'package.json'), 'utf8').then(JSON.parse)
      for (const { source, default: output } of Object.values(manifest.exports ?? {})) {
        // The image has the manifests of development and not its sources.
        if (output && existsSync(join(root, folder, source))) {
          entries[join(folder, output).replace(/\.js$/, '')] = join(folder, source)
        }
      }
      for (const file of await listFolder(join(root, folder, 'src'))) {
        const entry = /^(.+-process)\.ts$/.exec(file)?.[1]
        if (entry) entries[join(folder, 'dist', entry)] = join(folder, 'src', file)
      }
    }
  }
  for (const file of await listFolder(join(root, 'bin', 'src'))) {
    const name = /^([^.]+)\.ts$/.exec(file)?.[1]
    if (name) entries[`bin/dist/${name}`] = join('bin', 'src', file)
  }
  return entries
}

async function bundle(entryPoints) {
  const { build } = await import('esbuild')
  await build(bundleOptions(entryPoints))
}

function bundleOptions(entryPoints) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir: root,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
  }
}

/** The schema library brings its messages in fifty languages, half of the file; ours has English ones. */
const withoutLocales = {
  name: 'without-locales',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, '../locales/en.js'),
    })),
}

function commandLineOptions(entry, outfile) {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    conditions: ['source'],
    // The other entry draws pictures, for which it brings its own.
    alias: { qrcode: 'qrcode/lib/browser.js' },
    plugins: [withoutLocales],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'inline',
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  }
}

/**
 * The server's bundles, built again at each call of `rebuild` from what changed. They no longer are
 * what the last stamp says, so the next `npm start` builds its own.
 */
export async function createServerBuild() {
  const { context } = await import('esbuild')
  await rm(stampFile('server'), { force: true })
  const build = await context(bundleOptions(await findEntries()))
  return { rebuild: () => build.rebuild(), dispose: () => build.dispose() }
}

async function isStale({ name, stamp, outputs }) {
  if (!outputs.every((output) => existsSync(output))) return true
  return stamp !== (await readFile(stampFile(name), 'utf8').catch(() => ''))
}

function stampFile(name) {
  return join(root, '.cache', `${name.replace(' ', '-')}-build`)
}

const ignoredFolders = new Set(['node_modules', 'dist'])

async function listSources(folder) {
  const found = []
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!ignoredFolders.has(entry.name)) found.push(...(await listSources(path)))
    } else if (!/\.test\.tsx?$/.test(entry.name)) {
      found.push(path)
    }
  }
  return found
}

async function hashFiles(paths) {
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    const content = await readFile(path)
    hash.update(`${relative(root, path).split(sep).join('/')}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** That of a package, and those of our packages that it is built with. */
async function listPackageFolders(folder, found = new Set()) {
  found.add(folder)
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').then(JSON.parse)
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const [, name] = /^@floe\/(.+)$/.exec(dependency) ?? []
    const next = join(root, 'packages', name ?? '')
    if (name && !found.has(next)) await listPackageFolders(next, found)
  }
  return found
}

async function listFolder(folder) {
  return (await readdir(folder).catch(() => [])).sort()
}

const buildArguments = ['build', '--logLevel', 'warn']

/** Vite runs apart, so that its memory is given back. */
function run(program, cwd, args) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: 'inherit',
    // React is bundled by it: what a test builds is what everybody else does.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${basename(program)} ended with code ${code}`)),
    )
  })
}

async function buildStale() {
  for (const { name, stamp, build } of await findStale()) {
    console.log(`Building the ${name === 'web' ? 'page' : name}`)
    await build()
    await mkdir(join(root, '.cache'), { recursive: true })
    await writeFile(stampFile(name), stamp)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildStale().catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
