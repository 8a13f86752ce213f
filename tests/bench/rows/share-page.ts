import { readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, Row } from '../bench.ts'
import { startFloe } from '../floe/floe.ts'
import { fillShare, signUp } from '../floe/session.ts'
import { runCommand } from '../harness/process.ts'
import { limitLine, type Line } from '../harness/report.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Vite's manifest: module → the files it became and needs. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

/** What a visitor's first view loads: the entry, the app, the page of the share, one language. */
const neededModules = [
  /index\.html$/,
  /app\/start\.tsx$/,
  /ShareViewPage\.tsx$/,
  /\/en\.(ts|json)$/,
]

/** Names carry content hashes, so a second build beside the served one has the same names. */
async function buildManifest(outDir: string): Promise<Manifest> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--manifest', '--outDir', outDir, '--logLevel', 'warn']
  await runCommand(process.execPath, args, { cwd: join(root, 'web') })
  return JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')) as Manifest
}

function filesOf(manifest: Manifest): Set<string> {
  const files = new Set<string>()
  const visited = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || visited.has(key)) return
    visited.add(key)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(`/${file}`)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const needed of neededModules) {
    const key = Object.keys(manifest).find((name) => needed.test(name))
    if (key === undefined) throw new Error(`the page has no module like ${needed}`)
    visit(key)
  }
  return files
}

interface HttpResponse {
  status: number
  /** As it travels, compressed or not. */
  body: Buffer
}

function fetchRaw(port: number, path: string): Promise<HttpResponse> {
  const headers = { 'accept-encoding': 'br, gzip' }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) })
      })
    }).on('error', reject)
  })
}

/** Scripts and styles the document itself names, so that nothing it loads is missed. */
async function filesInDocument(port: number, path: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  const html = await response.text()
  const links = html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)
  return [...links].map(([, link]) => link ?? '')
}

async function measurePage({ scratch, load }: Bench): Promise<Line[]> {
  const outDir = scratch.folder('page')
  const floe = await startFloe(scratch)
  try {
    const files = filesOf(await buildManifest(outDir))
    const shareId = await fillShare(await signUp(floe), load, [1000])
    for (const file of await filesInDocument(floe.port, `/share/${shareId}`)) files.add(file)
    let bytes = 0
    for (const file of files) {
      const { status, body } = await fetchRaw(floe.port, file)
      if (status !== 200) throw new Error(`${file} returned ${status}`)
      bytes += body.length
    }
    const line = limitLine({
      what: 'Share page for a visitor, cold: compressed JS and CSS',
      values: [bytes / 1000],
      unit: 'kB',
      digits: 0,
      atMost: 170,
    })
    return [{ ...line, measured: `${line.measured} in ${files.size} files` }]
  } finally {
    await floe.stop()
    rmSync(outDir, { recursive: true, force: true })
  }
}

export const sharePageRow: Row = { name: 'share-page', measure: measurePage }
