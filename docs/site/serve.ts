import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** Serves the folder to this machine, as any file server would. */
export async function serveFolder(folder: string, port: number): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = normalize(pathname).replace(/\/$/, '/index.html')
    readFile(join(folder, path)).then(
      (content) => {
        response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream')
        response.end(content)
      },
      () => response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found'),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: found } = server.address() as AddressInfo
  return `http://localhost:${found}/`
}
