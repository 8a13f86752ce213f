/** Archives every file of FOLDER at LEVEL for each request, as services built on archiver do. */
import { ZipArchive } from 'archiver'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const folder = process.env['FOLDER'] ?? '.'
const level = Number(process.env['LEVEL'] ?? 0)

createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/zip')
  const archive = new ZipArchive(level === 0 ? { store: true } : { zlib: { level } })
  archive.pipe(response)
  for (const name of readdirSync(folder)) archive.file(join(folder, name), { name })
  void archive.finalize()
}).listen(Number(process.env['PORT']), '127.0.0.1')
