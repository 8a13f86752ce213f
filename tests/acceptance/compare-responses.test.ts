import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareResponses, type NotedResponse } from './world/compare-responses.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'floe-responses-'))
})
afterAll(() => rm(directory, { recursive: true }))

const plain: NotedResponse = {
  test: 'a download',
  kind: 'GET /api/files/UUID 200',
  headers: ['ETag', 'Content-Length'],
  body: '',
}
const changed = { ...plain, headers: ['Content-Length', 'ETag'] }

async function compare(embedded: NotedResponse[], split: NotedResponse[]): Promise<void> {
  const files = { embedded: join(directory, 'embedded'), split: join(directory, 'split') }
  const write = (file: string, notes: NotedResponse[]) =>
    writeFile(file, notes.map((note) => `${JSON.stringify(note)}\n`).join(''))
  await write(files.embedded, embedded)
  await write(files.split, split)
  return compareResponses(files)
}

test('equal responses pass, however often they were given', async () => {
  await compare([plain], [plain, plain])
})

test('a response that only one arrangement gives to a call fails', async () => {
  await expect(compare([plain], [changed])).rejects.toThrow(plain.kind)
  await expect(compare([plain], [{ ...plain, body: '{}' }])).rejects.toThrow(plain.kind)
})

test('one that it gives often besides fails, one that may be chance does not', async () => {
  const often = [plain, changed, plain, changed, plain, changed]
  await expect(compare([plain], often)).rejects.toThrow('3 × split')
  await compare([plain], [plain, changed, plain, changed])
})

test('one that a test was given again and again while it waited counts once', async () => {
  await compare([plain], [changed, changed, changed, changed, plain])
})

test('what the other was not asked by the same test is left out', async () => {
  await compare([plain], [plain, { ...changed, test: 'of replicas' }])
  await compare([plain], [plain, { ...changed, kind: 'GET /api/files/UUID 206' }])
})
