import { rm } from 'node:fs/promises'
import { afterEach } from 'vitest'
import type { ImportSource } from '../source.ts'

interface Product<Data> {
  write(data: Data): Promise<string>
  open(folder: string): Promise<ImportSource>
}

/** Data folders that go with the test. */
export function useSource<Data>({ write, open }: Product<Data>) {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  async function writeData(data: Data): Promise<string> {
    const folder = await write(data)
    folders.push(folder)
    return folder
  }

  return {
    write: writeData,
    async read<T>(data: Data, look: (source: ImportSource) => Promise<T> | T): Promise<T> {
      const source = await open(await writeData(data))
      try {
        return await look(source)
      } finally {
        await source.close()
      }
    },
  }
}
