import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeObjectStore } from './conformance/index.ts'
import { createDiskStore } from './disk-store.ts'
import { writeVector } from './file-system.ts'
import { newObjectKey } from './object-store.ts'

const base = mkdtempSync(path.join(tmpdir(), 'floe-objects-'))
afterAll(() => rm(base, { recursive: true, force: true }))

function freshDirectory(): string {
  return mkdtempSync(path.join(base, 'store-'))
}

function mountSmall(capacityBytes: number): string | null {
  const directory = freshDirectory()
  try {
    const options = `size=${capacityBytes}`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })
    return directory
  } catch {
    return null
  }
}

describeObjectStore('file store', async () => {
  const directory = freshDirectory()
  const capacityBytes = 1024 * 1024
  const smallDirectory = mountSmall(capacityBytes)
  return {
    store: createDiskStore({ directory }),
    reopen: async () => createDiskStore({ directory }),
    ...(smallDirectory === null
      ? {}
      : { small: { store: createDiskStore({ directory: smallDirectory }), capacityBytes } }),
    async dispose() {
      if (smallDirectory !== null) execFileSync('umount', [smallDirectory])
    },
  }
})

describeObjectStore('file store on a system that ends every write early', async () => {
  const directory = freshDirectory()
  const writeAtMost3000: typeof writeVector = (fd, chunks, position) => {
    const first = chunks.find((chunk) => chunk.byteLength > 0) ?? new Uint8Array()
    return writeVector(fd, [first.subarray(0, 3000)], position)
  }
  const open = () => createDiskStore({ directory, writeVector: writeAtMost3000 })
  return { store: open(), reopen: async () => open(), dispose: async () => undefined }
})

test('continues and reads past 4 GiB', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const key = newObjectKey()
  const far = 5 * 2 ** 30
  await store.create(key)
  truncateSync(path.join(directory, key.slice(0, 2), key), far)
  const writer = await store.openWriter(key, { offsetBytes: far })
  await writer.write([Buffer.from('far '), Buffer.from('away')])
  await writer.finish()
  await writer.close()
  const reader = await store.openReader(key)
  const buffer = Buffer.alloc(20)
  expect(await reader.read(buffer, far - 4)).toBe(12)
  expect(buffer.toString('latin1', 0, 12)).toBe('\0\0\0\0far away')
  await reader.close()
  expect(await store.storedBytes(key)).toBe(far + 8)
})

test('names files by key alone, readable by their owner only', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const key = newObjectKey()
  await store.putSmall(key, [Buffer.from('x')])
  expect(await readdir(path.join(directory, key.slice(0, 2)))).toEqual([key])
  const { mode } = await stat(path.join(directory, key.slice(0, 2), key))
  expect(mode & 0o777).toBe(0o600)
})

test('names the file of an object to a proxy whose group may then read it, and nothing else', async () => {
  const directory = freshDirectory()
  const objects = path.join(directory, 'objects')
  const sendfile = { header: 'X-Accel-Redirect', prefix: '/floe-objects/' }
  const store = createDiskStore({ directory: objects, sendfile })
  const [key, joined] = [newObjectKey(), newObjectKey()]
  const shown = { contentType: 'text/plain', contentDisposition: 'attachment' }
  await store.putSmall(key, [Buffer.from('whole')])
  await store.concatenate(joined, [{ key, sizeBytes: 5 }])
  for (const one of [key, joined]) {
    const file = `${one.slice(0, 2)}/${one}`
    const headers = { 'X-Accel-Redirect': `/floe-objects/${file}` }
    expect(await store.handOff(one, shown)).toEqual({ kind: 'sendfile', headers })
    expect((await stat(path.join(objects, file))).mode & 0o777).toBe(0o640)
    expect((await stat(path.join(objects, one.slice(0, 2)))).mode & 0o777).toBe(0o750)
  }
  expect((await stat(objects)).mode & 0o777).toBe(0o750)
  for (const other of ['../secret.key', `${key}\r\n`, key.toUpperCase(), '']) {
    await expect(store.handOff(other, shown)).rejects.toMatchObject({ code: 'internal' })
  }
})

test('overwrites what a concatenation left behind when the process died', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const [key, source] = [newObjectKey(), newObjectKey()]
  await store.putSmall(source, [Buffer.from('whole')])
  const remains = path.join(directory, key.slice(0, 2), `${key}.copy`)
  writeFileSync(remains, 'remains that are longer than the object')
  expect(await store.storedBytes(key)).toBeNull()
  await store.concatenate(key, [{ key: source, sizeBytes: 5 }])
  expect(await store.storedBytes(key)).toBe(5)
  await expect(stat(remains)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('follows no link in place of an object, neither to read nor to write', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const outside = path.join(freshDirectory(), 'secret')
  const secret = 'what this process may read, and nobody else'
  writeFileSync(outside, secret)
  await store.putSmall(newObjectKey(), [Buffer.from('makes the folders')])
  const linked = () => {
    const key = newObjectKey()
    symlinkSync(outside, path.join(directory, key.slice(0, 2), key))
    return key
  }
  const key = linked()
  await expect(store.openReader(key)).rejects.toMatchObject({ code: 'internal' })
  await expect(store.openWriter(key, { offsetBytes: 0 })).rejects.toMatchObject({
    code: 'internal',
  })
  await expect(store.putSmall(key, [Buffer.from('x')])).rejects.toMatchObject({ code: 'internal' })
  const source = { key, sizeBytes: secret.length }
  await expect(store.concatenate(newObjectKey(), [source])).rejects.toMatchObject({
    code: 'internal',
  })
  expect(await store.storedBytes(key)).not.toBe(secret.length)
  await store.remove([key])
  expect(await store.storedBytes(key)).toBeNull()
  expect(readFileSync(outside, 'utf8')).toBe(secret)
})

test('follows no link in place of an unfinished concatenation', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const [key, source] = [newObjectKey(), newObjectKey()]
  await store.putSmall(source, [Buffer.from('whole')])
  const outside = path.join(freshDirectory(), 'other')
  writeFileSync(outside, 'not to be written to')
  symlinkSync(outside, path.join(directory, key.slice(0, 2), `${key}.copy`))
  await store.concatenate(key, [{ key: source, sizeBytes: 5 }])
  expect(readFileSync(outside, 'utf8')).toBe('not to be written to')
  const object = path.join(directory, key.slice(0, 2), key)
  expect(readFileSync(object, 'utf8')).toBe('whole')
})

test('lists only objects, and nothing where nothing was stored', async () => {
  const directory = freshDirectory()
  const store = createDiskStore({ directory })
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  expect(keys).toEqual([])
  await mkdir(path.join(directory, 'ab'))
  writeFileSync(path.join(directory, 'ab', 'README'), 'not an object')
  for await (const { key } of store.list()) keys.push(key)
  expect(keys).toEqual([])
})

test('recovers when its directory could not be made at first', async () => {
  const parent = freshDirectory()
  const directory = path.join(parent, 'data', 'objects')
  writeFileSync(path.join(parent, 'data'), 'in the way')
  const store = createDiskStore({ directory })
  await expect(store.create(newObjectKey())).rejects.toMatchObject({ code: 'internal' })
  await rm(path.join(parent, 'data'))
  await store.create(newObjectKey())
})
