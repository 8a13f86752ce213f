import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSecretKey, secretKeyOf } from './secret-key.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'floe-secret-'))
})
afterEach(() => rm(directory, { recursive: true }))

test('processes that start at once agree on one key, and later ones find it', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(directory)))
  const later = await loadSecretKey(directory)
  expect(later).toHaveLength(32)
  for (const key of keys) expect(key).toEqual(later)
  expect(await readdir(directory)).toEqual(['secret.key'])
})

test('only the owner can read it', async () => {
  await loadSecretKey(join(directory, 'new'))
  expect((await stat(join(directory, 'new', 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('the text of the file is the same key, any other text is one of its own', async () => {
  const key = await loadSecretKey(directory)
  const text = (await readFile(join(directory, 'secret.key'), 'utf8')).trim()
  expect(secretKeyOf(text)).toEqual(key)
  expect(secretKeyOf('sixteen letters!')).toEqual(Buffer.from('sixteen letters!'))
  expect(secretKeyOf(text.slice(1))).toEqual(Buffer.from(text.slice(1)))
})

test('a damaged key is told, never replaced', async () => {
  await writeFile(join(directory, 'secret.key'), 'short')
  await expect(loadSecretKey(directory)).rejects.toThrow('damaged')
})
