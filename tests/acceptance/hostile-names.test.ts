import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { hostileNames, impossibleNames, isFullRun } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { archivePath, expectAccepted, openBody, saveBody } from './world/archives.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { parseContentDisposition } from './world/content-disposition.ts'
import { type HttpResponse, type Client, createClient } from './world/http-client.ts'
import { codeOf, completeShare, createShare, openShare, sendChunk } from './world/shares.ts'
import type { FloeUnderTest } from './world/start-arrangements.ts'
import { createUpload } from './world/tus.ts'

const allNames = hostileNames().map(({ name }) => name)

type Send = (owner: Client, shareId: string, name: string, content: string) => Promise<HttpResponse>

const tus = (metadata: (name: string) => { filename: string; relativePath?: string }): Send => {
  return (owner, shareId, name, content) =>
    createUpload(owner, {
      shareId,
      ...metadata(name),
      lengthBytes: Buffer.byteLength(content),
      bytes: content,
    })
}

const ways: Record<string, Send> = {
  'tus filename': tus((filename) => ({ filename })),
  'tus relativePath': tus((relativePath) => ({ filename: 'f', relativePath })),
  'the chunk protocol': (owner, shareId, name, content) =>
    sendChunk(owner, shareId, { name }, content),
}

/** Every name goes one of the ways, and in the full run all of them. */
function namesSent(way: string): readonly string[] {
  const keys = Object.keys(ways)
  const isSentSo = (index: number) => isFullRun || keys[index % keys.length] === way
  return allNames.filter((_, index) => isSentSo(index))
}

/** Different for each name, so that a file is known by its bytes whatever it is called. */
const contentOf = (name: string) => `these are the bytes of ${JSON.stringify(name)}\n`

/** Nothing that ends a line, is invisible in a row or turns it around. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

test('two hundred different names are hostile', () => {
  expect(new Set(allNames).size).toBe(allNames.length)
  expect(allNames.length).toBeGreaterThanOrEqual(200)
})

onOneArrangement('embedded', 'hostile names', (floe) => {
  describe.each(Object.keys(ways))('sent by %s', (way) => {
    const send = ways[way] ?? (() => Promise.reject(new Error(way)))
    const names = namesSent(way)
    let scratch: string
    let share: Filled

    beforeAll(async () => {
      scratch = await mkdtemp(join(tmpdir(), 'floe-names-'))
      share = await fill(floe, names, send)
    })
    afterAll(() => rm(scratch, { recursive: true, force: true }))

    test('are listed as they were sent', () => {
      expect([...share.ids.keys()].sort()).toEqual([...names].sort())
    })

    test('are told in one line each, and saved under a name that is no path', async () => {
      for (const [name, id] of share.ids) {
        for (const query of ['', '?download=false']) {
          const path = `/api/shares/${share.id}/files/${id}${query}`
          const response = await share.visitor.send('GET', path)
          const what = JSON.stringify(name)
          expect(response.text, what).toBe(contentOf(name))
          expect(response.headers['set-cookie'], what).toBeUndefined()
          const header = response.headers['content-disposition'] ?? ''
          expect(header, what).toMatch(/^[\x20-\x7e]{1,1200}$/)
          const { type, filename } = parseContentDisposition(header)
          expect(['attachment', 'inline'], what).toContain(type)
          expect(filename, what).toMatch(/^(?!\.{0,2}$)[^/\\]{1,255}$/u)
          expect(filename, what).not.toMatch(unprintable)
          if (!/[/\\]/.test(name) && !unprintable.test(name) && name.trim() === name) {
            const isShort = Array.from(name).length <= 255 && !/^\.*$/.test(name)
            if (isShort) expect(filename, what).toBe(name)
          }
        }
      }
    })

    test.each([
      ['unzip', (file: string, target: string) => ['-qq', file, '-d', target]],
      ['7z', (file: string, target: string) => ['x', '-bd', '-y', `-o${target}`, file]],
      ['python3', (file: string, target: string) => ['-m', 'zipfile', '-e', file, target]],
    ])('unpack by %s to exactly their files, and to nothing outside', async (tool, args) => {
      const sandbox = join(scratch, tool)
      const target = join(sandbox, 'a', 'b', 'target')
      await mkdir(target, { recursive: true })
      const file = join(scratch, `${tool}.zip`)
      await saveBody(await openBody(share.visitor, archivePath(share.id)), file)
      // Without a UTF-8 locale unzip would write the names in escapes.
      await expectAccepted('env', ['LC_ALL=C.UTF-8', tool, ...args(file, target)])
      const found = await walk(sandbox)
      expect(found.filter((path) => !path.startsWith(join('a', 'b', 'target') + sep))).toEqual([])
      const contents = await Promise.all(found.map((path) => readFile(join(sandbox, path), 'utf8')))
      expect(contents.sort()).toEqual(names.map(contentOf).sort())
      const folded = found.map((path) => path.normalize('NFD').toUpperCase().toLowerCase())
      expect(new Set(folded).size).toBe(names.length)
      for (const path of found) expectPortable(relative(join('a', 'b', 'target'), path))
      for (const escaped of ['/tmp/floe-escaped', '/tmp/up.txt']) {
        expect(existsSync(escaped), escaped).toBe(false)
      }
    })

    test('agree with the checksums of the share', async () => {
      const response = await share.visitor.send('GET', `/api/shares/${share.id}/files/SHA256SUMS`)
      expect(response.status).toBe(200)
      const target = join(scratch, 'sums')
      await mkdir(target)
      const file = join(scratch, 'sums.zip')
      await saveBody(await openBody(share.visitor, archivePath(share.id)), file)
      await expectAccepted('env', ['LC_ALL=C.UTF-8', 'unzip', '-qq', file, '-d', target])
      await writeFile(join(scratch, 'SHA256SUMS'), response.bytes)
      await expectAccepted('env', [
        ...['-C', target, 'sha256sum', '--check', '--strict', '--quiet'],
        join(scratch, 'SHA256SUMS'),
      ])
      expect(response.text.trimEnd().split('\n')).toHaveLength(names.length)
    })

    test.each(impossibleNames())('are refused where they are $what', async ({ name }) => {
      const owner = await signUp(floe)
      const shareId = await createShare(owner)
      const response = await send(owner, shareId, name, 'x')
      expect(response.status).toBe(400)
      expect(['validation_failed', 'file_name_too_long']).toContain(codeOf(response))
      const edit = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
      expect((edit.body as { files: unknown[] }).files).toEqual([])
    })
  })

  test('that are no text at all are refused in metadata, and made text in a query', async () => {
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const encode = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
    for (const bytes of [
      [0xed, 0xa0, 0x80],
      [0xff, 0xfe],
      [0xc0, 0xaf],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      const filename = encode(Buffer.from([0x61, ...bytes, 0x62]))
      const refused = await owner.send('POST', '/api/uploads', {
        headers: {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': '1',
          'Upload-Metadata': `shareId ${encode(shareId)},filename ${filename}`,
        },
      })
      expect(refused.status).toBe(400)
      expect(codeOf(refused)).toBe('validation_failed')
      const percent = bytes.map((byte) => `%${byte.toString(16)}`).join('')
      const query = `name=a${percent}b.txt&chunkIndex=0&totalChunks=1`
      const kept = await owner.send('POST', `/api/shares/${shareId}/files?${query}`, {
        bytes: 'x',
        headers: { 'Content-Type': 'application/octet-stream' },
      })
      expect(kept.status).toBe(201)
      const { name } = kept.body as { name: string }
      expect(name).toMatch(/^a.+b\.txt$/)
      expect(name).not.toMatch(/\p{Surrogate}/u)
    }
  })
})

interface Filled {
  id: string
  visitor: Client
  /** Name → id. */
  ids: Map<string, string>
}

async function fill(floe: FloeUnderTest, names: readonly string[], send: Send): Promise<Filled> {
  const owner = await signUp(floe)
  const id = await createShare(owner)
  for (const name of names) {
    const response = await send(owner, id, name, contentOf(name))
    expect(response.status, `${JSON.stringify(name)}: ${response.text}`).toBe(201)
  }
  await completeShare(owner, id)
  const visitor = createClient(floe.url)
  await openShare(visitor, id)
  const { body } = await visitor.send('GET', `/api/shares/${id}`)
  const { files } = body as { files: { id: string; name: string; size: string }[] }
  expect(files).toHaveLength(names.length)
  return { id, visitor, ids: new Map(files.map((file) => [file.name, file.id])) }
}

/** Every file below the folder; anything but files and folders fails. */
async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: string[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const stats = await lstat(path)
    expect(stats.isFile() || stats.isDirectory(), path).toBe(true)
    if (stats.isFile()) files.push(relative(folder, path))
  }
  return files
}

const device = /^(?:con|prn|aux|nul|com[\d\u00b9\u00b2\u00b3]|lpt[\d\u00b9\u00b2\u00b3]) *(?:\.|$)/i

/** Every common system can create it, and shows it as what it is. */
function expectPortable(path: string): void {
  for (const segment of path.split(sep)) {
    expect(segment).not.toMatch(unprintable)
    expect(segment).not.toMatch(/[\\:*?"<>|]|[. ]$/)
    expect(segment).not.toMatch(device)
    expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255)
  }
}
