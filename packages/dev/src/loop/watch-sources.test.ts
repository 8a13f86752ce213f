import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchSources } from './watch-sources.ts'

let root: string
let told: string[]
let hear: () => void
let watching: { close(): void }

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'floe-watch-'))
  for (const folder of ['packages/log/src', 'services/file/src/uploads', 'bin/src']) {
    await mkdir(join(root, folder), { recursive: true })
  }
  await write('services/file/src/uploads/lease.ts', 'one')
  told = []
  hear = () => undefined
  watching = watchSources(root, (file) => {
    told.push(file)
    hear()
  })
})
afterEach(async () => {
  watching.close()
  await rm(root, { recursive: true })
})

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

/** As many editors save: another file takes the place of the former one. */
async function replace(path: string, text: string): Promise<void> {
  await write(`${path}~`, text)
  await rename(join(root, `${path}~`), join(root, path))
}

async function nextOf(change: () => Promise<void>): Promise<string | undefined> {
  const heard = new Promise<void>((resolve) => (hear = resolve))
  await change()
  await heard
  return told.at(-1)
}

const file = 'services/file/src/uploads/lease.ts'

test('a file is heard of each time it is replaced', async () => {
  for (const text of ['two', 'three', 'four']) {
    expect(await nextOf(() => replace(file, text))).toBe(file)
  }
})

test('a file is heard of each time it is written in place', async () => {
  for (const text of ['two', 'three']) expect(await nextOf(() => write(file, text))).toBe(file)
})

test('a file of a new folder is heard of, and once more when it is replaced', async () => {
  const first = 'packages/log/src/new/deep/first.ts'
  expect(await nextOf(() => write(first, '1'))).toBe(first)
  expect(await nextOf(() => replace(first, '2'))).toBe(first)
})

test('a folder that went and came back, as from another branch, is watched again', async () => {
  const folder = join(root, 'services/file/src/uploads')
  await nextOf(async () => {
    await rm(folder, { recursive: true })
    await write(file, 'of the branch')
  })
  expect(await nextOf(() => replace(file, 'changed'))).toBe(file)
})

test('a removed file is heard of', async () => {
  expect(await nextOf(() => rm(join(root, file)))).toBe(file)
})

test('tests, builds and what is no source are left alone', async () => {
  await write('services/file/src/uploads/lease.test.ts', '')
  await write('services/file/dist/src/index.ts', '')
  await write('services/file/package.json', '{}')
  expect(await nextOf(() => write('bin/src/main.ts', ''))).toBe('bin/src/main.ts')
  expect(told).toEqual(['bin/src/main.ts'])
})
