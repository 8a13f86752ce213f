import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { archivePath, expectAccepted, openBody, saveBody } from './world/archives.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { addFile, codeOf, completeShare, createShare, openShare } from './world/shares.ts'
import { append, beginUpload } from './world/tus.ts'

const run = promisify(execFile)
const listPath = (shareId: string) => `/api/shares/${shareId}/files/SHA256SUMS`

/** Whatever a sender may call a file; where it becomes another path, both lists have to agree. */
const names = [
  'plain.txt',
  'two  words .txt',
  '-',
  '--help',
  '#hash',
  '*star',
  ' leading space',
  'back\\slash.txt',
  'C:\\Temp\\evil.txt',
  '../../escape.txt',
  '/absolute.txt',
  '日本/Übergröße 😀.txt',
  'cafe\u0301.txt',
  'caf\u00e9.txt',
  'same.txt',
  'SAME.txt',
  'NUL.txt',
  'quote"\'$(x)`.txt',
  '.hidden',
  `${'ü'.repeat(120)}.txt`,
]

onOneArrangement('embedded', 'SHA256SUMS', (floe) => {
  let folder: string
  let owner: Client
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'floe-sums-'))
    owner = await signUp(floe)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function visit(shareId: string) {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, shareId)).status).toBe(200)
    return visitor
  }

  /** Bigger files get their digest soon after they are complete. */
  function askForList(visitor: Client, shareId: string) {
    const ask = async () => {
      const response = await visitor.send('GET', listPath(shareId))
      if (response.status !== 200) expect(codeOf(response)).toBe('digests_not_ready')
      expect(response.status, response.text).toBe(200)
      return response
    }
    return vi.waitFor(ask, { timeout: 30_000, interval: 50 })
  }

  test('is what sha256sum finds in the unpacked archive, whatever the files are called', async () => {
    const shareId = await createShare(owner)
    for (const name of names) await addFile(owner, shareId, name, `content of ${name}`)
    const big = Buffer.alloc(3_000_000, 'big')
    const upload = { shareId, filename: 'big.bin', relativePath: 'deep/er/big.bin' }
    const path = await beginUpload(owner, { ...upload, lengthBytes: big.length })
    expect((await append(owner, path, 0, big)).status).toBe(204)
    await completeShare(owner, shareId)
    const visitor = await visit(shareId)

    const sums = await askForList(visitor, shareId)
    expect(sums.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="SHA256SUMS"',
    })
    const archive = join(folder, 'all.zip')
    const unpacked = await mkdtemp(join(folder, 'unpacked-'))
    await saveBody(await openBody(visitor, archivePath(shareId)), archive)
    await expectAccepted('unzip', ['-q', archive, '-d', unpacked])
    const unpackedEntries = await readdir(unpacked, { recursive: true, withFileTypes: true })
    await writeFile(join(unpacked, 'SHA256SUMS'), sums.bytes)
    const { stdout } = await run('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: unpacked })
    expect(stdout.match(/: OK$/gm)).toHaveLength(names.length + 1)
    expect(unpackedEntries.filter((entry) => entry.isFile())).toHaveLength(names.length + 1)
  })

  test('of small files is there at once, and tells what the share tells', async () => {
    const shareId = await createShare(owner)
    const upload = { shareId, filename: 'a.txt', lengthBytes: 5, bytes: 'hello' }
    await beginUpload(owner, upload)
    await completeShare(owner, shareId)
    const sha256 = createHash('sha256').update('hello').digest('hex')
    const visitor = await visit(shareId)
    const sums = await visitor.send('GET', listPath(shareId))
    expect(sums.text).toBe(`${sha256}  a.txt\n`)
    const files = [{ name: 'a.txt', size: '5', sha256 }]
    const seen = await visitor.send('GET', `/api/shares/${shareId}`)
    expect(seen.body).toMatchObject({ files })
    const own = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    expect(own.body).toMatchObject({ files })
    const head = await visitor.send('HEAD', listPath(shareId))
    expect(head.headers).toMatchObject({
      etag: sums.headers.etag,
      'content-length': String(sums.bytes.length),
    })
    const known = { headers: { 'If-None-Match': sums.headers.etag ?? '' } }
    const again = await visitor.send('GET', listPath(shareId), known)
    expect(again.status).toBe(304)
  })
})
