import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MOST_CHOSEN_FILES } from '@floe/contracts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signUp } from './world/accounts.ts'
import { archivePath, expectAccepted } from './world/archives.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { parseContentDisposition } from './world/content-disposition.ts'
import { type Client, createClient, type HttpResponse } from './world/http-client.ts'
import { codeOf, openShare, publishShare, type PublishedShare } from './world/shares.ts'

const photo = randomBytes(150_000)
const files = {
  'readme.txt': 'read me',
  'photos/2026/summer/beach.jpg': photo,
  'photos/2026/Übersicht.txt': 'all of them',
  'photos/old.jpg': 'old',
  'photos 2/other.jpg': 'other',
  '../../etc/passwd': 'out of here',
}
const names = Object.keys(files)

const filenameOf = ({ headers }: HttpResponse) =>
  parseContentDisposition(headers['content-disposition'] ?? '').filename

onBothArrangements('a part of a share as an archive', (floe) => {
  let owner: Client
  let visitor: Client
  let share: PublishedShare
  let scratch: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'floe-parts-'))
    owner = await signUp(floe)
    share = await publishShare(owner, files)
    visitor = createClient(floe.url)
    await openShare(visitor, share.id)
  })
  afterAll(() => rm(scratch, { recursive: true, force: true }))

  const folderPath = (folder: string, { id } = share) =>
    `${archivePath(id)}?folder=${encodeURIComponent(folder)}`
  const idOf = (name: string) => share.fileIds[names.indexOf(name)] ?? ''
  const choose = (ids: readonly unknown[], { id } = share, client = visitor) =>
    client.send('POST', `/api/shares/${id}/files/selection`, { json: { files: ids } })

  async function chosenPath(...chosen: string[]): Promise<string> {
    const { status, text, body } = await choose(chosen.map(idOf))
    expect(status, text).toBe(200)
    return `${archivePath(share.id)}?selection=${(body as { selection: string }).selection}`
  }

  /** Checked by unzip; the names as Python reads them. */
  async function unpack(bytes: Buffer): Promise<string[]> {
    const file = join(scratch, `${randomUUID()}.zip`)
    await writeFile(file, bytes)
    await expectAccepted('unzip', ['-tqq', file])
    const list = 'import sys,zipfile;print("|".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
    return (await expectAccepted('python3', ['-c', list, file])).trim().split('|')
  }

  test('is one folder, by the names within it', async () => {
    const response = await visitor.send('GET', folderPath('photos/2026'))
    expect(response.status).toBe(200)
    expect(response.headers['content-length']).toBe(String(response.bytes.length))
    expect(filenameOf(response)).toBe('2026.zip')
    expect(await unpack(response.bytes)).toEqual(['summer/beach.jpg', 'Übersicht.txt'].sort())
  })

  test('is the files that were chosen, by the names within what they share', async () => {
    const [within, across] = await Promise.all([
      chosenPath('photos/old.jpg', 'photos/2026/Übersicht.txt'),
      chosenPath('readme.txt', 'photos/old.jpg'),
    ])
    const response = await visitor.send('GET', within)
    expect(filenameOf(response)).toBe('photos.zip')
    expect(await unpack(response.bytes)).toEqual(['2026/Übersicht.txt', 'old.jpg'])
    const other = await visitor.send('GET', across)
    expect(filenameOf(other)).toBe(`${share.id}.zip`)
    expect(await unpack(other.bytes)).toEqual(['photos/old.jpg', 'readme.txt'])
  })

  test('goes on where it was interrupted, and only where it is still the same', async () => {
    for (const path of [
      folderPath('photos'),
      await chosenPath('readme.txt', 'photos/2026/summer/beach.jpg'),
    ]) {
      const head = await visitor.send('HEAD', path)
      const whole = await visitor.send('GET', path)
      const { etag = '' } = whole.headers
      expect(head.headers).toMatchObject({ etag, 'content-length': String(whole.bytes.length) })
      const middle = 70_001
      const parts = await Promise.all(
        [`bytes=0-${middle - 1}`, `bytes=${middle}-`].map((Range) =>
          visitor.send('GET', path, { headers: { Range, 'If-Range': etag } }),
        ),
      )
      expect(parts.map(({ status }) => status)).toEqual([206, 206])
      expect(Buffer.concat(parts.map(({ bytes }) => bytes)).equals(whole.bytes)).toBe(true)
      const all = await visitor.send('HEAD', archivePath(share.id))
      expect(all.headers.etag).not.toBe(etag)
      const headers = { Range: 'bytes=9-', 'If-Range': all.headers.etag ?? '' }
      expect((await visitor.send('GET', path, { headers })).status).toBe(200)
    }
  })

  test('stays below where it is unpacked, whatever its names are', async () => {
    const folder = await visitor.send('GET', folderPath('..'))
    expect(await unpack(folder.bytes)).toEqual(['etc/passwd'])
    expect(filenameOf(folder)).toMatch(/^[^/\\]+\.zip$/)
    const chosen = await visitor.send('GET', await chosenPath('../../etc/passwd'))
    expect(await unpack(chosen.bytes)).toEqual(['passwd'])
  })

  test.each(['nope', 'photo', 'photos/2027', 'readme.txt', '../../../etc', '/', '\0', '%2e'])(
    'is not found as folder %j',
    async (folder) => {
      const response = await visitor.send('GET', folderPath(folder))
      expect(response.status).toBe(404)
      expect(codeOf(response)).toBe('file_not_found')
    },
  )

  test('that nobody can mean is refused', async () => {
    const selection = (await chosenPath('readme.txt')).split('?')[1] ?? ''
    for (const query of [
      'folder=',
      `folder=${'x'.repeat(1_025)}`,
      'folder=a&folder=b',
      'selection=%2f..',
      `selection=${'A'.repeat(7_001)}`,
      `folder=photos&${selection}`,
    ]) {
      const response = await visitor.send('GET', `${archivePath(share.id)}?${query}`)
      expect([query.slice(0, 20), response.status]).toEqual([query.slice(0, 20), 400])
      expect(codeOf(response)).toBe('validation_failed')
    }
    for (const ids of [[], ['x'], Array.from({ length: MOST_CHOSEN_FILES + 1 }, randomUUID)]) {
      const response = await choose(ids)
      expect([response.status, codeOf(response)]).toEqual([400, 'validation_failed'])
    }
  })

  test('has no file of another share', async () => {
    const other = await publishShare(owner, { 'secret.txt': 'secret' })
    const response = await choose([idOf('readme.txt'), other.fileIds[0]])
    expect([response.status, codeOf(response)]).toEqual([404, 'file_not_found'])
    const selection = (await chosenPath('readme.txt')).split('?')[1]
    await openShare(visitor, other.id)
    const elsewhere = await visitor.send('GET', `${archivePath(other.id)}?${selection}`)
    expect([elsewhere.status, codeOf(elsewhere)]).toEqual([404, 'file_not_found'])
  })

  test('takes the password of its share, and a view of those that are left', async () => {
    const security = { password: 'open sesame', maxViews: 1 }
    const locked = await publishShare(owner, files, { security })
    const [stranger, guest] = [createClient(floe.url), createClient(floe.url)]
    const refusals = [
      await stranger.send('GET', folderPath('photos', locked)),
      await choose(locked.fileIds, locked, stranger),
    ]
    expect(refusals.map(codeOf)).toEqual(['share_password_required', 'share_password_required'])
    expect((await openShare(guest, locked.id, security.password)).status).toBe(200)
    expect((await guest.send('GET', folderPath('photos', locked))).status).toBe(200)
    expect((await choose(locked.fileIds, locked, guest)).status).toBe(200)
    expect((await openShare(stranger, locked.id, security.password)).status).toBe(403)
  })

  test('counts as one download of the archive', async () => {
    const counted = await publishShare(owner, files)
    const guest = createClient(floe.url)
    await openShare(guest, counted.id)
    const path = folderPath('photos', counted)
    await guest.send('GET', path)
    await guest.send('GET', path, { headers: { Range: 'bytes=10-' } })
    await vi.waitFor(async () => {
      const { body } = await owner.send('GET', `/api/shares/${counted.id}/receipts`)
      expect(body).toMatchObject({ downloads: { total: 1 }, archive: { total: 1 } })
    }, 10_000)
  })
})
