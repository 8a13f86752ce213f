import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  PAGE_FILES_FILE,
  PAGE_SHELL_FILE,
  PAGE_SHELL_FOLDER,
  type PageFiles,
  pageFilesSchema,
  type PageShellModule,
} from '@floe/contracts'
import type { Request, Response } from 'express'
import { chooseCoding, type Coding } from './accept-encoding.ts'

/**
 * The built web application, held in memory: it is a few megabytes, and a fixed list of files
 * leaves no path to traverse.
 */
export interface WebFiles {
  /** The page's template. */
  page: string
  /** What each page consists of. */
  pageFiles: PageFiles
  /** What the page shows before its scripts run. */
  renderShell: PageShellModule['renderShell']
  /** The style sheet of a theme that follows a color. */
  renderAccent(color: string): Promise<string>
  /** What is at this URL path. */
  find(path: string): WebFile | undefined
}

export interface WebFile {
  type: string
  cacheControl: string
  etag: string
  content: Buffer
  coded: Partial<Record<Coding, Buffer>>
}

const codingExtensions: Record<Coding, string> = { br: '.br', gzip: '.gz' }

const mediaTypes: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** `null` while the web application is not built. */
export function loadWebFiles(directory: string): WebFiles | null {
  const pagePath = join(directory, 'index.html')
  const filesPath = join(directory, PAGE_FILES_FILE)
  const shellPath = join(directory, PAGE_SHELL_FILE)
  if (![pagePath, filesPath, shellPath].every(existsSync)) return null
  const files = readFiles(directory)
  // Imported with the first page: a process that sends none goes without React.
  const loadShell = async () => (await import(pathToFileURL(shellPath).href)) as PageShellModule
  for (const name of ['index.html', PAGE_FILES_FILE]) files.delete(`/${name}`)
  return {
    page: readFileSync(pagePath, 'utf8'),
    pageFiles: pageFilesSchema.parse(JSON.parse(readFileSync(filesPath, 'utf8'))),
    renderShell: async (view) => (await loadShell()).renderShell(view),
    renderAccent: async (color) => (await loadShell()).renderAccent(color),
    find: (path) => files.get(path),
  }
}

function readFiles(directory: string): Map<string, WebFile> {
  const files = new Map<string, WebFile>()
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(directory, path).split(sep).join('/')
    if (!entry.isFile() || isCoded(path) || name.startsWith(`${PAGE_SHELL_FOLDER}/`)) continue
    files.set(`/${name}`, readFile(directory, path))
  }
  return files
}

function isCoded(path: string): boolean {
  return Object.values(codingExtensions).some(
    (extension) => path.endsWith(extension) && existsSync(path.slice(0, -extension.length)),
  )
}

function readFile(directory: string, path: string): WebFile {
  const content = readFileSync(path)
  const coded: WebFile['coded'] = {}
  for (const [coding, extension] of Object.entries(codingExtensions)) {
    if (existsSync(path + extension)) coded[coding as Coding] = readFileSync(path + extension)
  }
  const isHashed = relative(directory, path).split(sep)[0] === 'assets'
  const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
  return { ...toWebFile(path, content), cacheControl, coded }
}

/** A file that every use asks for again; its name tells what it is. */
export function toWebFile(name: string, content: Buffer): WebFile {
  return {
    type: mediaTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: 'no-cache',
    etag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    content,
    coded: {},
  }
}

export function sendFile(file: WebFile, req: Request, res: Response): void {
  const stored = Object.keys(file.coded) as Coding[]
  const coding = chooseCoding(req.get('accept-encoding'), stored)
  res.setHeader('Content-Type', file.type)
  res.setHeader('Cache-Control', file.cacheControl)
  res.setHeader('ETag', `"${file.etag}${coding === null ? '' : `-${coding}`}"`)
  if (stored.length > 0) res.setHeader('Vary', 'Accept-Encoding')
  if (req.fresh) {
    res.status(304).end()
    return
  }
  const content = coding === null ? file.content : (file.coded[coding] ?? file.content)
  if (coding !== null) res.setHeader('Content-Encoding', coding)
  res.setHeader('Content-Length', content.length)
  res.end(req.method === 'HEAD' ? undefined : content)
}
