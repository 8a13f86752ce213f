import { open, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { SourceContent } from './source.ts'

/** Null for what is no file. */
export async function readFileContent(path: string): Promise<SourceContent | null> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return null
  return {
    sizeBytes: found.size,
    path,
    async open() {
      const file = await open(path, 'r')
      return {
        async read(buffer, position) {
          return (await file.read(buffer, 0, buffer.byteLength, position)).bytesRead
        },
        close: () => file.close(),
      }
    },
  }
}

/** The same, and null for a path that leads out of the folder. */
export async function readFileBelow(folder: string, path: string): Promise<SourceContent | null> {
  const target = join(folder, path)
  return target.startsWith(join(folder, sep)) ? readFileContent(target) : null
}
