import { randomUUID } from 'node:crypto'
import { type RouteName, routes } from '@floe/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAccount, signIn, signInAsAdmin, signUp } from '../world/accounts.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { changeSettings } from '../world/mail.ts'
import { expectRefusal } from '../world/refusals.ts'
import {
  beginSending,
  complete,
  createReverseShare,
  findOwn,
  openSender,
} from '../world/reverse-shares.ts'
import { callRoute } from '../world/route-calls.ts'
import { copyOf, expectEnded, expectSignedIn, renew } from '../world/sessions.ts'
import {
  addFile,
  codeOf,
  completeShare,
  createShare,
  newShareId,
  openShare,
  publishShare,
  sendChunk,
} from '../world/shares.ts'
import { beginSignIn, enrolTotp, finishSignIn, totpCode } from '../world/totp.ts'
import { append, beginUpload } from '../world/tus.ts'

const names = Object.keys(routes) as RouteName[]

onOneArrangement('embedded', 'ownership and revocation', (floe) => {
  let owner: Client
  let other: Client
  let admin: Client
  beforeAll(async () => {
    owner = await signUp(floe)
    other = await signUp(floe)
    admin = await signInAsAdmin(floe)
  })

  const statusOf = async (client: Client, path: string) => (await client.send('GET', path)).status
  const idOf = async (client: Client) =>
    ((await client.send('GET', '/api/users/me')).body as { id: string }).id

  test('CVE-2025-64523: nobody deletes what is not theirs', async () => {
    const { id } = await publishShare(owner, { 'a.txt': 'a' })
    const token = await createReverseShare(owner)
    const reverse = await findOwn(owner, token)
    for (const client of [other, createClient(floe.url)]) {
      for (const path of [`/api/shares/${id}`, `/api/reverseShares/${reverse?.id}`]) {
        expectRefusal(await client.send('DELETE', path), path)
      }
    }
    expect(await statusOf(owner, `/api/shares/${id}/from-owner`)).toBe(200)
    expect(await findOwn(owner, token)).toBeDefined()
  })

  test('CVE-2026-54097: a deletion takes that share and that file, not those whose names begin alike', async () => {
    const id = newShareId()
    await publishShare(owner, { 'a.txt': 'a' }, { id })
    await publishShare(owner, { 'a.txt': 'longer' }, { id: `${id}-2` })
    await publishShare(other, { 'a.txt': 'theirs' }, { id: `${id}_3` })
    const shareId = await createShare(owner)
    const folder = await addFile(owner, shareId, 'a', 'a')
    await addFile(owner, shareId, 'a/b.txt', 'b')
    await addFile(owner, shareId, 'ab', 'ab')
    expect((await owner.send('DELETE', `/api/shares/${shareId}/files/${folder}`)).status).toBe(200)
    expect((await owner.send('DELETE', `/api/shares/${id}`)).status).toBe(200)
    expect(await statusOf(owner, `/api/shares/${id}/from-owner`)).toBe(404)
    expect(await statusOf(owner, `/api/shares/${id}-2/from-owner`)).toBe(200)
    expect(await statusOf(other, `/api/shares/${id}_3/from-owner`)).toBe(200)
    const { body } = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    const { files } = body as { files: { name: string }[] }
    expect(files.map(({ name }) => name).sort()).toEqual(['a/b.txt', 'ab'])
  })

  test('CVE-2026-35604: no link outlives the account that made it', async () => {
    const leaver = await signUp(floe)
    const { id, fileIds } = await publishShare(leaver, { 'a.txt': 'a' })
    const token = await createReverseShare(leaver)
    const shareId = await createShare(leaver)
    const upload = await beginUpload(leaver, { shareId, filename: 'b', lengthBytes: 2 })
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    expect(await statusOf(visitor, `/api/shares/${id}/files/${fileIds[0]}`)).toBe(200)
    const removed = await admin.send('DELETE', `/api/users/${await idOf(leaver)}`)
    expect(removed.status).toBe(200)
    await expect.poll(() => statusOf(visitor, `/api/shares/${id}/files/${fileIds[0]}`)).toBe(404)
    await expect.poll(() => statusOf(visitor, `/api/reverseShares/${token}`)).toBe(404)
    await expect
      .poll(async () => (await append(visitor, upload, 0, 'b')).status)
      .toBeGreaterThanOrEqual(400)
  })

  test('CVE-2026-29061: who is no administrator any more is none with what they still hold', async () => {
    const account = newAccount()
    const demoted = await signUp(floe, account)
    const id = await idOf(demoted)
    const setAdmin = (isAdmin: boolean) =>
      admin.send('PATCH', `/api/users/${id}`, { json: { isAdmin } })
    await setAdmin(true)
    const held = [copyOf(demoted), await signIn(floe.url, account)]
    for (const client of held) expect(await statusOf(client, '/api/users')).toBe(200)
    expect((await setAdmin(false)).status).toBe(200)
    for (const client of held) {
      expect(await statusOf(client, '/api/users')).toBe(403)
      expect((await renew(client)).status).toBe(401)
    }
    // Nothing but a session carries rights: there are no keys that could keep them, as passkeys begin one.
    const keeps = ({ path }: { path: string }) => /(?<!pass)key|credential/i.test(path)
    expect(Object.values(routes).filter(keeps)).toEqual([])
  })

  test('CVE-2026-23896: nobody makes themselves more than they are', async () => {
    const more = { isAdmin: true, storageLimit: 0, id: randomUUID(), scopes: ['all'] }
    const account = newAccount()
    const client = createClient(floe.url)
    const signedUp = await client.send('POST', '/api/auth/signUp', {
      json: { ...account, ...more },
    })
    expect(signedUp.status).toBe(201)
    await client.send('PATCH', '/api/users/me', { json: more })
    await client.send('PATCH', `/api/users/${await idOf(client)}`, { json: more })
    const { body } = await client.send('GET', '/api/users/me')
    expect(body).toMatchObject({ isAdmin: false, username: account.username })
    expect((body as { id: string }).id).not.toBe(more.id)
    expect(await statusOf(client, '/api/users')).toBe(403)
  })

  test('CVE-2026-30943: an upload replaces nothing, whatever share it names', async () => {
    const { id, fileIds } = await publishShare(owner, { 'a.txt': 'original' })
    const shareId = await createShare(other)
    const chunk = { name: 'a.txt', ...(fileIds[0] !== undefined && { id: fileIds[0] }) }
    // A file of this id in a share of theirs is another file.
    expect((await sendChunk(other, shareId, chunk, 'replaced')).status).toBe(201)
    expectRefusal(await sendChunk(other, id, chunk, 'replaced'))
    expectRefusal(await sendChunk(owner, id, chunk, 'replaced'))
    const file = await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
    expect(file.text).toBe('original')
  })

  test('CVE-2026-28682: the progress of an upload is told to its sender alone', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, { shareId, filename: 'secret-plans.txt', lengthBytes: 9 })
    expect((await owner.send('GET', '/api/uploads')).text).toContain(path)
    for (const client of [other, admin, createClient(floe.url)]) {
      const { text } = await client.send('GET', '/api/uploads')
      expect(text).not.toContain(path)
      expect(text).not.toContain('secret-plans')
    }
    // Nothing is pushed to anybody.
    const described = await owner.send('GET', '/api/docs/openapi.json')
    expect(described.status).toBe(200)
    expect(described.text).not.toContain('event-stream')
  })

  test('CVE-2026-45285: what others may read is listed to its owner, and goes when they say so', async () => {
    const token = await createReverseShare(owner)
    const sender = openSender(floe, token)
    const id = await beginSending(sender, { 'a.txt': 'a' })
    expect((await complete(sender, id)).status).toBe(202)
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    const found = await findOwn(owner, token)
    expect(found?.shares.map((share) => share.id)).toEqual([id])
    await owner.send('DELETE', `/api/reverseShares/${found?.id}`)
    expect(await statusOf(visitor, `/api/shares/${id}`)).toBe(404)
    expect(await statusOf(visitor, `/api/reverseShares/${token}`)).toBe(404)
    // Who is told of a share by e-mail gets its one link, and nothing that outlives it.
    const search = await admin.send('GET', `/api/shares/all?search=${id}`)
    expect(search.body).toEqual([])
  })

  test('CVE-2026-45283: a refusal holds nothing that opens something', async () => {
    const security = { password: 'open sesame' }
    const { id, fileIds } = await publishShare(owner, { 'secret-plans.txt': 'a' }, { security })
    const visitor = createClient(floe.url)
    await openShare(visitor, id, security.password)
    const shareId = await createShare(owner)
    const upload = await beginUpload(owner, { shareId, filename: 'secret-plans.txt' })
    const reverse = await findOwn(owner, await createReverseShare(owner))
    const secrets = [
      ...[visitor, owner].flatMap(({ cookies }) =>
        cookies.names().map((name) => cookies.get(name)),
      ),
      ...[upload.split('/').at(-1), security.password, reverse?.token, 'secret-plans', '$argon2'],
    ]
    const target = {
      ...{
        shareId: id,
        fileId: fileIds[0] ?? '',
        userId: await idOf(owner),
        sessionId: randomUUID(),
      },
      ...{ reverseShareId: reverse?.id ?? '', uploadId: 'A'.repeat(22) },
    }
    for (const name of names.filter((one) => !/^(?:anyone|user)$/.test(routes[one].access))) {
      const response = await callRoute(other, name, target)
      expectRefusal(response, name)
      const told = response.text + JSON.stringify(response.headers)
      for (const secret of secrets) expect(told.includes(secret ?? ''), name).toBe(false)
    }
  })

  test('CVE-2024-22403: a token for the second step is used once, and none lasts', async () => {
    const account = newAccount()
    const secret = await enrolTotp(await signUp(floe, account), account)
    const step = await beginSignIn(floe.url, account)
    expect((await finishSignIn(step, totpCode(secret, 1))).status).toBe(200)
    expect((await finishSignIn(step, totpCode(secret, -1))).status).toBe(401)
    // Floe lets nobody in elsewhere: it hands out no codes that somebody could keep.
    for (const path of [
      '/oauth/authorize',
      '/oauth/token',
      '/api/oauth/token',
      '/api/oauth/code',
    ]) {
      const response = await createClient(floe.url).send('POST', path, { json: {} })
      expect([404, 405], path).toContain(response.status)
    }
  })

  test('filebrowser#readme: a signed token is worth nothing once its session has ended', async () => {
    const account = newAccount()
    const [here, elsewhere] = [await signUp(floe, account), await signIn(floe.url, account)]
    const held = copyOf(here)
    expect(held.cookies.get('access_token')?.split('.')).toHaveLength(3)
    await here.send('POST', '/api/auth/signOut')
    await expectEnded(held)
    await expectSignedIn(elsewhere)
  })

  test('GHSA-833g-cqhp-h72j: what tells of a share has the members that are published, and no hash', async () => {
    const password = 'open sesame'
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { security: { password } })
    const visitor = createClient(floe.url)
    await openShare(visitor, id, password)
    const told = [
      [visitor, 'getShare', `/api/shares/${id}`],
      [owner, 'getShareAsOwner', `/api/shares/${id}/from-owner`],
      [owner, 'listOwnShares', '/api/shares'],
      [admin, 'listAllShares', `/api/shares/all?search=${id}`],
    ] as const
    for (const [client, name, path] of told) {
      const response = await client.send('GET', path)
      expect(response.status, name).toBe(200)
      // Parsing drops what is not published: nothing must be.
      expect(routes[name].response.parse(response.body), name).toEqual(response.body)
      expect(response.text, name).not.toMatch(/argon2|hash"|token"|open sesame/i)
    }
  })

  test('copyparty#960: a name that is used again opens nothing to who had the former', async () => {
    const id = newShareId()
    const former = await publishShare(owner, { 'a.txt': 'former' }, { id })
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    await owner.send('DELETE', `/api/shares/${id}`)
    const security = { password: 'open sesame' }
    const latter = await publishShare(owner, { 'a.txt': 'latter' }, { id, security })
    for (const fileId of [former.fileIds[0], latter.fileIds[0], 'zip']) {
      expect(await statusOf(visitor, `/api/shares/${id}/files/${fileId}`), fileId).toBe(403)
    }
    const shareId = await createShare(owner)
    const first = await addFile(owner, shareId, 'a.txt', 'first')
    await owner.send('DELETE', `/api/shares/${shareId}/files/${first}`)
    await addFile(owner, shareId, 'a.txt', 'second')
    await completeShare(owner, shareId)
    expect(await statusOf(owner, `/api/shares/${shareId}/files/${first}`)).toBe(404)
  })
})

onOneArrangement('embedded', 'who may sign up', (floe) => {
  const keys = [
    'share.allowRegistration',
    'share.allowUnauthenticatedShares',
    'oauth.allowRegistration',
  ]
  let admin: Client
  beforeAll(async () => {
    admin = await signInAsAdmin(floe)
  })
  const set = (values: readonly (boolean | '')[]) =>
    changeSettings(
      admin,
      keys.map((key, index) => ({ key, value: values[index] ?? '' })),
    )
  afterAll(() => set(['', '', '']))

  test('GHSA-j2cw-9fvc-wr4r: is decided by that one setting, whatever the others are', async () => {
    const signUpNow = () => {
      const json = { ...newAccount(), invite: 'x', code: 'x', inviteCode: 'x', isInvited: true }
      return createClient(floe.url).send('POST', '/api/auth/signUp?code=x&invite=x', { json })
    }
    for (const isAllowed of [false, true]) {
      for (const anonymous of [false, true]) {
        for (const social of [false, true]) {
          await set([isAllowed, anonymous, social])
          const expected = isAllowed ? 201 : 403
          await expect.poll(async () => (await signUpNow()).status).toBe(expected)
          const responses = await Promise.all([signUpNow(), signUpNow(), signUpNow()])
          const refused = isAllowed ? undefined : 'registration_disabled'
          expect(responses.map(codeOf)).toEqual([refused, refused, refused])
        }
      }
    }
  })
})
