import { TUS_VERSION } from '@floe/contracts'
import { hasCode } from '../api/api-error.ts'
import type { HttpClient } from '../api/http-client.ts'
import { readStored } from './beginning-check.ts'
import type { FileEntry } from './file-entry.ts'
import type { FindByContent } from './match-files.ts'
import type { Prefix } from './prefix.ts'
import { readPrefix } from './read-prefix.ts'

/** Asks the server what it has of an upload, and reads the candidates up to there. */
export function createFindByContent(http: HttpClient): FindByContent {
  return async (url, candidates) => {
    const stored = await askStored(http, url)
    // Every file begins with nothing.
    if (stored === null || stored.bytes === 0) return null
    for (const entry of candidates) {
      const found = await compare(entry, stored)
      if (found) return found
    }
    return null
  }
}

async function askStored(http: HttpClient, url: string): Promise<Prefix | null> {
  try {
    const { headers } = await http.requestRaw({
      method: 'HEAD',
      path: new URL(url, window.location.origin).pathname,
      headers: { 'Tus-Resumable': TUS_VERSION },
    })
    return readStored((name) => headers.get(name))
  } catch (error) {
    if (hasCode(error, 'upload_not_found', 'upload_gone')) return null
    throw error
  }
}

async function compare(entry: FileEntry, { bytes, crc32 }: Prefix): Promise<FileEntry | null> {
  // One that cannot be read is not the one.
  const prefix = await readPrefix(entry.file, { toBytes: bytes }).catch(() => null)
  return prefix?.crc32 === crc32 ? { ...entry, prefix } : null
}
