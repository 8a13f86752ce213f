import { rm } from 'node:fs/promises'
import { type PingvinData, writePingvin as write } from '@floe/testing'
import { afterEach } from 'vitest'
import { openPingvin } from '../pingvin/open-pingvin.ts'
import type { ImportSource, SourceShare } from '../source.ts'

/** Data folders that go with the test. */
export function usePingvin() {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  async function writePingvin(data: PingvinData): Promise<string> {
    const folder = await write(data)
    folders.push(folder)
    return folder
  }

  return {
    writePingvin,
    async read<T>(data: PingvinData, look: (source: ImportSource) => Promise<T> | T): Promise<T> {
      const source = await openPingvin(await writePingvin(data))
      try {
        return await look(source)
      } finally {
        await source.close()
      }
    },
  }
}

export async function allShares(source: ImportSource): Promise<SourceShare[]> {
  const found: SourceShare[] = []
  for await (const page of source.shares(2)) found.push(...page)
  return found
}
