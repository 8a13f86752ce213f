import { type RouteName, routes } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { archivePath } from '../world/archives.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { expectRefusal } from '../world/refusals.ts'
import { beginSending, complete, createReverseShare, openSender } from '../world/reverse-shares.ts'
import { callRoute, type Target } from '../world/route-calls.ts'
import {
  addFile,
  codeOf,
  createShare,
  openShare,
  publishShare,
  type PublishedShare,
} from '../world/shares.ts'
import { beginUpload, createUpload } from '../world/tus.ts'

const password = 'open sesame'
const content = 'burn after reading'
const names = Object.keys(routes) as RouteName[]
/** Whatever tells of a share, or hands it out, to its visitors. */
const readers = names.filter((name) => routes[name].access === 'share visitor')

onOneArrangement('embedded', 'the second door', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  const publish = (): Promise<PublishedShare> =>
    publishShare(owner, { 'secret-plans.txt': content }, { security: { password } })
  const targetOf = ({ id, fileIds }: PublishedShare): Target => ({
    ...{ shareId: id, fileId: fileIds[0] ?? '' },
    ...{ reverseShareId: 'x', userId: 'x', sessionId: 'x', uploadId: 'x' },
  })
  const stranger = () => createClient(floe.url)

  test('sharry@26aaa146: every route that reads a share asks for its password', async () => {
    expect(readers.length).toBeGreaterThanOrEqual(6)
    const target = targetOf(await publish())
    for (const name of readers) {
      const response = await callRoute(stranger(), name, target)
      expect(codeOf(response), name).toBe('share_password_required')
    }
  })

  test('CVE-2026-56768: the archive of a private share asks who is there', async () => {
    const sender = openSender(floe, await createReverseShare(owner, { publicAccess: false }))
    const id = await beginSending(sender, { 'secret-plans.txt': content })
    expect((await complete(sender, id)).status).toBe(202)
    for (const client of [stranger(), await signUp(floe), sender]) {
      const response = await client.send('GET', archivePath(id))
      expect(codeOf(response)).toBe('private_share')
    }
    expect((await owner.send('GET', archivePath(id))).status).toBe(200)
  })

  test('CVE-2026-4831: who knows the address of a file still needs the password', async () => {
    const { id, fileIds } = await publish()
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const visitor = stranger()
    for (const method of ['GET', 'HEAD']) {
      for (const query of ['', '?download=false', '?download=true', `?password=${password}`]) {
        const response = await visitor.send(method, path + query.replace(' ', '%20'))
        expect(response.status, query).toBe(403)
      }
    }
    await openShare(visitor, id, password)
    expect((await visitor.send('GET', path)).text).toBe(content)
  })

  test('CVE-2026-27611: what anybody may know of a share gives no way around its password', async () => {
    const { id, fileIds } = await publish()
    for (const path of [
      `/api/shares/isShareIdAvailable/${id}`,
      `/share/${id}`,
      `/s/${id}`,
      `/api/shares/${id}/from-owner`,
      '/api/configs',
    ]) {
      const visitor = stranger()
      const { text, headers } = await visitor.send('GET', path)
      expect(text, path).not.toMatch(/secret-plans|argon2|_token/)
      expect(text, path).not.toContain(fileIds[0])
      expect(headers['set-cookie'], path).toBeUndefined()
    }
  })

  test('GHSA-525j-95gf-766f: nothing but the very password stands for it', async () => {
    const { id } = await publish()
    for (const json of [
      {},
      ...[
        null,
        '',
        true,
        0,
        [],
        [password],
        { $ne: '' },
        `${password}\0`,
        password.toUpperCase(),
      ].map((given) => ({ password: given })),
      { hasPassword: false },
      { token: 'x', passwordHash: 'x' },
    ]) {
      const visitor = stranger()
      const response = await visitor.send('POST', `/api/shares/${id}/token`, { json })
      expectRefusal(response, JSON.stringify(json))
      expect(visitor.cookies.names()).toEqual([])
    }
  })

  test('CVE-2026-35606: who may not download learns no digest', async () => {
    const { id, fileIds } = await publish()
    for (const path of [
      'SHA256SUMS',
      `${fileIds[0]}?checksum=sha256`,
      `${fileIds[0]}?digest=md5`,
    ]) {
      const headers = { 'Want-Repr-Digest': 'sha-256=1' }
      const response = await stranger().send('GET', `/api/shares/${id}/files/${path}`, { headers })
      expect(codeOf(response), path).toBe('share_password_required')
      expect(response.headers['repr-digest'], path).toBeUndefined()
    }
  })

  test('GHSA-7whw-q6gh-xr59: nor guesses content by asking whether it has changed', async () => {
    const { id, fileIds } = await publish()
    const path = `/api/shares/${id}/files/${fileIds[0]}`
    const visitor = stranger()
    await openShare(visitor, id, password)
    const { etag = '' } = (await visitor.send('HEAD', path)).headers
    expect(etag).toMatch(/^"/)
    for (const method of ['GET', 'HEAD']) {
      for (const name of ['If-None-Match', 'If-Match', 'If-Range']) {
        for (const tag of [etag, '"another"', '*']) {
          const headers = { [name]: tag, Range: 'bytes=0-0' }
          expect((await stranger().send(method, path, { headers })).status, name).toBe(403)
        }
      }
    }
  })

  test('CVE-2026-32761: who may not download cannot share it instead', async () => {
    const other = await signUp(floe)
    const { id, fileIds } = await publish()
    const open = await createShare(owner)
    const partial = { headers: { 'Upload-Concat': 'partial' }, bytes: content }
    const part = await beginUpload(owner, {
      ...{ shareId: open, filename: 'part', lengthBytes: content.length, ...partial },
    })
    const json = { id: `${id}-too`, expiration: '1-day', recipients: [] }
    const files = [{ id: fileIds[0] }]
    const made = await other.send('POST', '/api/shares', { json: { ...json, files, from: id } })
    expect(made.status).toBe(201)
    const joined = await createUpload(other, {
      ...{ shareId: json.id, filename: 'mine' },
      headers: { 'Upload-Concat': `final;${part}`, 'Upload-Defer-Length': '' },
    })
    expectRefusal(joined)
    const listing = await other.send('GET', `/api/shares/${json.id}/from-owner`)
    expect(listing.body).toMatchObject({ files: [], size: 0 })
  })

  test('CVE-2025-58753: a share opens its own files and none beside them', async () => {
    const target = await publish()
    const mine = await publishShare(owner, { 'mine.txt': 'mine' })
    const visitor = stranger()
    await openShare(visitor, mine.id)
    for (const file of [
      target.fileIds[0],
      'secret-plans.txt',
      'mine.txt',
      `..%2f${target.id}%2ffiles%2f${target.fileIds[0]}`,
      `${mine.fileIds[0]}%2f..%2f${target.fileIds[0]}`,
    ]) {
      const response = await visitor.send('GET', `/api/shares/${mine.id}/files/${file}`)
      expect(response.status, file).toBe(404)
    }
    const own = await visitor.send('GET', `/api/shares/${mine.id}/files/${mine.fileIds[0]}`)
    expect(own.text).toBe('mine')
  })

  test('CVE-2026-54091: however its address is written, a closed file is closed', async () => {
    const { id, fileIds } = await publish()
    const open = await publishShare(owner, { 'a.txt': 'a' })
    await addFile(owner, await createShare(owner), 'a.txt', 'a')
    const file = fileIds[0] ?? ''
    const visitor = stranger()
    await openShare(visitor, open.id)
    for (const path of [
      `/api/shares/${id}/files/${file.toUpperCase()}`,
      `/api/shares/${id}/files/${file}/`,
      `/api/shares/${id}//files/${file}`,
      `/api/shares/./${id}/files/${file}`,
      `/api/shares/${open.id}/../${id}/files/${file}`,
      `/api/shares/${open.id}/%2e%2e/${id}/files/${file}`,
      `/api/shares/${open.id}%2f..%2f${id}/files/${file}`,
      `/api/shares/${encodeURIComponent(`${id}%`)}/files/${file}`,
      `/api/shares/${id};x=1/files/${file}`,
      `/api/shares/${id.replace('s', '%73')}/files/${file.replace('-', '%2d')}`,
      `/API/shares/${id}/files/${file}`,
      `http://127.0.0.1/api/shares/${id}/files/${file}`,
    ]) {
      const response = await visitor.send('GET', path)
      expect(response.text, path).not.toContain(content)
      expect(response.status === 200 && !response.text.includes('<!doctype html'), path).toBe(false)
    }
  })
})
