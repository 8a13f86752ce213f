import { rm } from 'node:fs/promises'
import { type PingvinData, writePingvin } from '@floe/testing'
import { afterAll, expect } from 'vitest'
import { runCommand, type Verdict } from './command.ts'

/** Data folders of Pingvin Share that go with the file. */
export function usePingvin() {
  const folders: string[] = []
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })
  return async (data: PingvinData): Promise<string> => {
    const folder = await writePingvin(data)
    folders.push(folder)
    return folder
  }
}

/** `npm run import -- pingvin <folder>` into the installation with this data directory. */
export function importPingvin(
  { dataDirectory }: { dataDirectory: string },
  folder: string,
  ...args: string[]
): Promise<Verdict> {
  return runCommand('import', { DATA_DIR: dataDirectory }, 'pingvin', folder, ...args)
}

/** What came otherwise or not at all, in any order. */
export function lossesOf({ lines }: Verdict): string[] {
  return lines
    .filter((line) => line.startsWith('loss: '))
    .map((line) => line.slice(6))
    .toSorted()
}

/** Everything came. */
export function expectWhole({ code, errors, lines }: Verdict): void {
  expect({ code, errors }, lines.join('\n')).toEqual({ code: 0, errors: '' })
}
