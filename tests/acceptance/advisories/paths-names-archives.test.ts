import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RouteName, routes } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signInAsAdmin, signUp } from '../world/accounts.ts'
import { archivePath } from '../world/archives.ts'
import { floeOf, haveAlone, onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { findObject } from '../world/objects.ts'
import { expectRefusal } from '../world/refusals.ts'
import {
  addFile,
  completeShare,
  createShare,
  openShare,
  publishShare,
  sendChunk,
} from '../world/shares.ts'
import { beginUpload, createUpload, sendTus } from '../world/tus.ts'

const names = Object.keys(routes) as RouteName[]

onOneArrangement('embedded', 'paths, names and archives', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  test('GHSA-336w-hgpq-6369: what a client calls a path is a label, and no file of the server', async () => {
    const mark = `mark-${randomBytes(6).toString('hex')}`
    const shareId = await createShare(owner)
    for (const path of [`../../../../../../tmp/${mark}`, `/tmp/${mark}`, `a/../../${mark}/x.txt`]) {
      const upload = { shareId, filename: 'f', relativePath: path, lengthBytes: 1, bytes: 'x' }
      const sent = await createUpload(owner, upload)
      expect(sent.status, sent.text).toBe(201)
      await sendChunk(owner, shareId, { name: path }, 'x')
    }
    await completeShare(owner, shareId)
    expect(existsSync(join('/tmp', mark))).toBe(false)
    for (const directory of [floe.dataDirectory, floe.objectsDirectory]) {
      const found = await readdir(directory, { recursive: true })
      expect(found.filter((name) => name.includes(mark))).toEqual([])
    }
    const archive = (await owner.send('GET', archivePath(shareId))).bytes.toString('latin1')
    expect(archive).toContain(mark)
    expect(archive).not.toMatch(/\.\.[/\\]|\x02\x00\/tmp/)
  })

  test.each([
    ['psitransfer@8b547bf', ['%2e%2e%2f', '..%2f', '..%5c', '%252e%252e%252f']],
    ['CVE-2023-37474', ['../', '..//', './../', '....//', '\\..\\']],
  ])('%s: no way of writing a path leads out of what is served', async (_id, steps) => {
    const visitor = createClient(floe.url)
    for (const base of ['/', '/assets/', '/img/', '/locales/', '/api/docs/', '/api/shares/']) {
      for (const step of steps) {
        for (const target of ['package.json', 'etc/passwd', 'secret.key']) {
          const path = `${base}${step.repeat(6)}${target}`
          const { status, text } = await visitor.send('GET', path)
          expect(text, path).not.toMatch(/^root:|"workspaces"|"license"/m)
          expect(status >= 400 || /^\s*<!doctype html/i.test(text), `${path}: ${text}`).toBe(true)
        }
      }
    }
  })

  test('CVE-2023-38501: nothing of an address stands in a response as markup', async () => {
    const mark = '<script>alert(1)</script>'
    const visitor = createClient(floe.url)
    for (const text of [mark, encodeURIComponent(mark), `"><img src=x onerror=alert(1)>`]) {
      for (const base of [
        '/',
        '/share/',
        '/api/shares/',
        '/error?error=',
        '/api/nope/',
        '/auth/signIn?redirect=',
      ]) {
        const path = base + text.replaceAll(' ', '%20')
        const response = await visitor.send('GET', path)
        const type = response.headers['content-type'] ?? ''
        if (type.includes('html'))
          expect(response.text, path).not.toMatch(/<script>alert|<img src=x/)
        expect(response.headers['x-content-type-options'], path).toBe('nosniff')
      }
    }
  })

  test('GHSA-f54q-j679-p9hh: nothing that is sent begins a header line of its own', async () => {
    const line = 'a\r\nX-Injected: yes\r\nSet-Cookie: injected=1'
    const encoded = encodeURIComponent(line)
    const { id, fileIds } = await publishShare(owner, { [line]: 'x' })
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    for (const path of [
      `/api/shares/${id}/files/${fileIds[0]}`,
      `/api/shares/${encoded}`,
      `/share/${encoded}`,
      `/s/${encoded}`,
      `/api/oauth/auth/github?redirect=/${encoded}`,
      `/api/shares/isShareIdAvailable/${encoded}`,
    ]) {
      const response = await visitor.send('GET', path)
      expect(response.headers['x-injected'], path).toBeUndefined()
      expect(JSON.stringify(response.headers['set-cookie'] ?? []), path).not.toContain('injected')
    }
    const posted = await visitor.send('POST', `/api/shares/${encoded}/token`, { json: {} })
    expect(posted.headers['x-injected']).toBeUndefined()
  })

  test.each([
    ['GHSA-fwj3-42wh-8673', 'DELETE'],
    ['GHSA-qqqm-5547-774x', 'PATCH'],
    ['GHSA-vvp7-h4fj-m28w', 'GET'],
  ])(
    '%s: by %s a visitor changes nothing, and reads nothing beside the share',
    async (_id, method) => {
      const [open, closed] = [
        await publishShare(owner, { 'a.txt': 'open' }),
        await publishShare(owner, { 'b.txt': 'closed' }, { security: { password: 'open sesame' } }),
      ]
      const visitor = createClient(floe.url)
      await openShare(visitor, open.id)
      const beside = `..%2f..%2f${closed.id}%2ffiles%2f${closed.fileIds[0]}`
      for (const path of [
        `/api/shares/${open.id}/files/${beside}`,
        `/api/shares/${open.id}/files/${beside}/thumbnail`,
        `/api/shares/${open.id}/files/${open.fileIds[0]}/subtitles?path=../../../etc/passwd`,
        ...(method === 'GET'
          ? []
          : [`/api/shares/${open.id}`, `/api/shares/${open.id}/files/${open.fileIds[0]}`]),
      ]) {
        const options = method === 'PATCH' ? { json: { name: 'Theirs' } } : {}
        expectRefusal(await visitor.send(method, path, options), path)
      }
      for (const { id, fileIds } of [open, closed]) {
        const file = await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
        expect(file.text).toBe(id === open.id ? 'open' : 'closed')
      }
      // A visitor has no verb that changes anything: `selectFiles` only names what to read.
      const others = names
        .filter((name) => routes[name].access === 'share visitor')
        .filter((name) => routes[name].method !== 'get')
      expect(others).toEqual(['selectFiles'])
    },
  )

  test('CVE-2026-30914: a name is one name, whichever way it comes and wherever it is told', async () => {
    const given = ['Ünïcode/x.txt', 'a//b/./c.txt', 'back\\slash.txt', ' spaced ', 'U\u0308.txt']
    const told: string[][] = []
    for (const way of ['tus', 'chunk']) {
      const shareId = await createShare(owner)
      for (const name of given) {
        const sent =
          way === 'tus'
            ? await createUpload(owner, { shareId, filename: name, lengthBytes: 1, bytes: 'x' })
            : await sendChunk(owner, shareId, { name }, 'x')
        expect(sent.status, name).toBe(201)
      }
      await completeShare(owner, shareId)
      const { body } = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
      const { files } = body as { files: { name: string }[] }
      const sums = `/api/shares/${shareId}/files/SHA256SUMS`
      await expect.poll(async () => (await owner.send('GET', sums)).status).toBe(200)
      told.push([...files.map(({ name }) => name).sort(), (await owner.send('GET', sums)).text])
    }
    expect(told[0]).toEqual(told[1])

    const admin = await signInAsAdmin(floe)
    for (const path of ['/api/shares//all', '/api//shares/all', '/api/configs/admin//share']) {
      expect((await admin.send('GET', path)).status, path).toBe(404)
      expect((await admin.send('GET', path.replace('//', '/'))).status, path).toBe(200)
    }
    // Part of a name, and not another way to write a slash.
    const backslash = await admin.send('GET', '/api/shares/isShareIdAvailable/a\\b')
    expect(backslash.body).toEqual({ isAvailable: expect.any(Boolean) })
  })
})

/** Only there are objects files of this machine. */
describe('objects on the disk', () => {
  const floe = floeOf('embedded')
  haveAlone(floe)
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  test('CVE-2026-54094: a link in place of an object is neither followed nor removed through', async () => {
    const [content, secret] = [randomBytes(2_000), randomBytes(2_000)]
    const { id, fileIds } = await publishShare(owner, { 'a.bin': content })
    const object = await findObject(floe.dataDirectory, content)
    const outside = join(tmpdir(), `floe-outside-${id}`)
    await writeFile(outside, secret)
    await rename(object, `${object}.kept`)
    await symlink(outside, object)
    try {
      for (const path of [`${fileIds[0]}`, `${fileIds[0]}?download=false`, 'zip']) {
        const read = owner.send('GET', `/api/shares/${id}/files/${path}`)
        // Refused, or broken off before its first byte.
        const { bytes } = await read.catch(() => ({ bytes: Buffer.alloc(0) }))
        expect(bytes.includes(secret.subarray(0, 16)), path).toBe(false)
      }
      expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
      await expect.poll(() => stat(object).catch(() => null), { timeout: 30_000 }).toBeNull()
      expect((await readFile(outside)).equals(secret)).toBe(true)
    } finally {
      await rm(outside)
      await rm(`${object}.kept`)
    }
  })

  test('GHSA-m9f5-2232-frp6: what is given up takes its own bytes along, whatever it was called', async () => {
    const { id, fileIds } = await publishShare(owner, { 'kept.txt': 'kept' })
    const shareId = await createShare(owner)
    const content = randomBytes(70_000)
    for (const name of [`../${id}`, `../../files/${fileIds[0]}`, '../../secret.key', '*', '.']) {
      const filename = name === '.' ? 'a' : name
      const upload = {
        shareId,
        filename,
        relativePath: filename,
        lengthBytes: 100_000,
        bytes: content,
      }
      const path = await beginUpload(owner, upload)
      expect((await sendTus(owner, 'DELETE', path)).status).toBe(204)
    }
    expect((await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)).text).toBe('kept')
    expect(existsSync(join(floe.dataDirectory, 'secret.key'))).toBe(true)
    await expect(findObject(floe.dataDirectory, content)).rejects.toThrow('no object')
  })

  test('CVE-2024-50623: what is uploaded lies under a key, where nothing is run', async () => {
    const content = randomBytes(3_000)
    const shareId = await createShare(owner)
    await addFile(owner, shareId, '../../bin/run-me.sh', content)
    const object = await findObject(floe.dataDirectory, content)
    expect(object.slice(floe.objectsDirectory.length)).toMatch(/^\/([\da-f]{2})\/\1[\da-f]{30}$/)
    expect((await stat(object)).mode & 0o777).toBe(0o600)
  })
})
