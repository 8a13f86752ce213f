import { FloeError } from '@floe/aead'
import { describe, expect, test } from 'vitest'
import {
  beginFile,
  createContentKey,
  createFileId,
  createShareKey,
  decryptManifest,
  encodeKey,
  encryptManifest,
  keyOfLink,
  linkWithKey,
  type Manifest,
  openFile,
  resumeFile,
} from './index.ts'

const link = 'https://files.example/s/abc'

function refuses(fault: FloeError['fault']) {
  return expect.objectContaining({ name: 'FloeError', fault })
}

describe('a key', () => {
  test('comes back from the fragment of its link, and stands nowhere else in it', () => {
    const key = createShareKey()
    const url = new URL(linkWithKey(link, key))
    expect(url.origin + url.pathname + url.search).toBe(link)
    expect(url.hash).toBe(`#k=${encodeKey(key)}`)
    expect(keyOfLink(url.href)).toEqual({ shareKey: key, hasPassword: false })
  })

  test('stands beside that a password is needed, too', () => {
    const key = createShareKey()
    const url = new URL(linkWithKey(link, key, { hasPassword: true }))
    expect(url.hash).toBe(`#k=${encodeKey(key)}&p=1`)
    expect(keyOfLink(url.href)).toEqual({ shareKey: key, hasPassword: true })
  })

  test('is read beside what a page keeps behind it', () => {
    const key = createShareKey()
    const url = `${linkWithKey(link, key, { hasPassword: true })}&folder=a%2Fb`
    expect(keyOfLink(url)).toEqual({ shareKey: key, hasPassword: true })
  })

  test.each([
    ['none', ''],
    ['another parameter', '#q=AAAA'],
    ['one that is cut', `#k=${'A'.repeat(42)}`],
    ['one that is too long', `#k=${'A'.repeat(44)}`],
    ['bits behind the last byte', `#k=${'A'.repeat(42)}B`],
    ['the other alphabet', `#k=${'A'.repeat(41)}+A`],
  ])('is not read from a link with %s', (_, fragment) => {
    expect(keyOfLink(link + fragment)).toBeNull()
  })

  test('is another one each time', () => {
    expect(createShareKey()).not.toEqual(createShareKey())
    expect(createFileId()).not.toBe(createFileId())
  })
})

describe('a file', () => {
  const text = new TextEncoder().encode('secret')

  test('is opened by the content key of its share and its id, also where another run went on with it', async () => {
    const key = createContentKey()
    const id = createFileId()
    const { header } = await beginFile(key, id, { segmentBytes: 4096 })
    const resumed = await resumeFile(key, id, header)
    const sealed = await resumed.encryptSegment(text, 0, true)
    const opened = await openFile(key, id, header)
    expect(await opened.decryptSegment(sealed, 0, true)).toEqual(text)
  })

  test('is not opened in the place of another, or by the key of another share', async () => {
    const key = createContentKey()
    const id = createFileId()
    const { header } = await beginFile(key, id)
    await expect(openFile(key, createFileId(), header)).rejects.toEqual(refuses('key'))
    await expect(openFile(createContentKey(), id, header)).rejects.toEqual(refuses('key'))
    await expect(resumeFile(key, createFileId(), header)).rejects.toEqual(refuses('key'))
  })
})

describe('a manifest', () => {
  const manifest: Manifest = {
    contentKey: createContentKey(),
    files: [
      {
        id: createFileId(),
        name: 'Фото/été.jpg',
        size: 5_000_000_000,
        modified: 1_700_000_000_000,
        crc32: '00ff00ff',
        sha256: 'ab'.repeat(32),
      },
      {
        id: createFileId(),
        name: 'empty',
        size: 0,
        crc32: '00000000',
        sha256: 'cd'.repeat(32),
      },
    ],
  }
  const key = createShareKey()

  test('comes back as it was, and is not found in its ciphertext', async () => {
    const sealed = new Uint8Array(await encryptManifest(key, manifest))
    expect(await decryptManifest(key, sealed)).toEqual(manifest)
    const seen = Buffer.from(sealed)
    for (const { id, name } of manifest.files) {
      expect(seen.includes(id)).toBe(false)
      expect(seen.includes(name)).toBe(false)
    }
  })

  test('of many files comes back as it was', async () => {
    const [file] = manifest.files
    if (!file) throw new Error('no file')
    const files = Array.from({ length: 20_000 }, (_, index) => ({
      ...file,
      id: createFileId(),
      name: `folder/${index}`,
    }))
    const sealed = new Uint8Array(await encryptManifest(key, { ...manifest, files }))
    expect(await decryptManifest(key, sealed)).toEqual({ ...manifest, files })
  })

  test('that is cut, changed or of another share is refused', async () => {
    const sealed = new Uint8Array(await encryptManifest(key, manifest))
    await expect(decryptManifest(createShareKey(), sealed)).rejects.toEqual(refuses('key'))
    for (const length of [0, 73, 74, sealed.length - 1]) {
      await expect(decryptManifest(key, sealed.slice(0, length))).rejects.toThrow(FloeError)
    }
    sealed[sealed.length - 20] = (sealed[sealed.length - 20] ?? 0) ^ 1
    await expect(decryptManifest(key, sealed)).rejects.toEqual(refuses('authentication'))
  })

  test('is no file, and a file no manifest', async () => {
    const sealed = new Uint8Array(await encryptManifest(key, manifest))
    await expect(openFile(key, 'manifest', sealed.slice(0, 74))).rejects.toEqual(refuses('key'))
  })

  test.each([
    ['a name twice', { name: 'Фото/été.jpg' }],
    ['an id twice', { id: manifest.files[0]?.id }],
    ['a name with NUL', { name: 'a\0b' }],
    ['no name', { name: '' }],
    ['a negative size', { size: -1 }],
    ['an id of another form', { id: '../../etc/passwd' }],
    ['a digest of another form', { sha256: 'AB'.repeat(32) }],
  ])('is not written with %s', async (_, wrong) => {
    const [first, second] = manifest.files
    if (!first || !second) throw new Error('no files')
    const files = [first, { ...second, ...wrong }] as Manifest['files']
    await expect(encryptManifest(key, { ...manifest, files })).rejects.toThrow()
  })
})
