import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { PAGE_SHELL_FOLDER } from '@floe/contracts'

const textExtensions: ReadonlySet<string> = new Set([
  '.css',
  '.html',
  '.ico',
  '.js',
  '.json',
  '.map',
  '.mjs',
  '.svg',
  '.txt',
  '.wasm',
  '.webmanifest',
  '.xml',
])

/** A page is dozens of small files: what each saves is little, and together several kilobytes. */
const SMALLEST_BYTES = 256

const compressors = [
  {
    extension: '.br',
    compress: (content: Buffer) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  {
    extension: '.gz',
    compress: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
  },
]

/**
 * A build step: writes a `.br` and a `.gz` beside each text file of the built web application
 * where that is smaller. The page itself and its shell are left out:
 * the gateway alone reads them.
 */
export async function precompress(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const shell = join(directory, PAGE_SHELL_FOLDER)
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !textExtensions.has(extname(entry.name))) continue
    if (path === join(directory, 'index.html') || entry.parentPath.startsWith(shell)) continue
    await compressFile(path)
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < SMALLEST_BYTES) return
  for (const { extension, compress } of compressors) {
    const compressed = await compress(content)
    if (compressed.length < content.length) await writeFile(path + extension, compressed)
  }
}
