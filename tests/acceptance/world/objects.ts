import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the object with these bytes lies, of a Floe that keeps its objects on the disk. */
export async function findObject(dataDirectory: string, content: Buffer): Promise<string> {
  const root = join(dataDirectory, 'objects')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name)
    // What was deleted a moment ago may go while this looks.
    const found = await readFile(path).catch(() => null)
    if (found?.equals(content)) return path
  }
  throw new Error('no object has this content')
}
