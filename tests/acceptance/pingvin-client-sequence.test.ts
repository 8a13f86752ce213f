import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from './world/http-client.ts'
import { ownArrangements } from './world/arrangements.ts'
import { codeOf, keysOf, sendChunk } from './world/shares.ts'

const password = 'J2y8unpJUcJDRv'
const receiptKeys = ['description', 'expiration', 'id', 'name']

/** What scripts written against Pingvin Share do, on an empty installation, in their order. */
describe.each(ownArrangements)('the calls of an existing client, %s', (arrangement) => {
  let floe: RunningFloe
  let client: Client
  const fileIds: string[] = []
  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    client = createClient(floe.url)
  })
  afterAll(() => floe?.stop())

  const post = (path: string, json: unknown) => client.send('POST', path, { json })
  const share = (fields: object) =>
    post('/api/shares', { expiration: '1-day', recipients: [], ...fields })
  const upload = (shareId: string, name: string, content: string) =>
    sendChunk(client, shareId, { name }, content)

  test('signs up the first account, which is the administrator, and a second', async () => {
    for (const [name, isAdmin] of [
      ['system', true],
      ['system2', false],
    ] as const) {
      const response = await createClient(floe.url).send('POST', '/api/auth/signUp', {
        json: { email: `${name}@test.org`, username: `${name}.test`, password },
      })
      expect(response.status).toBe(201)
      expect(response.body).toMatchObject({ user: { isAdmin } })
      expect(response.text).not.toMatch(/argon2|hash/i)
    }
  })

  test('signs in', async () => {
    const response = await post('/api/auth/signIn', { email: 'system@test.org', password })
    expect(response.status).toBe(200)
    expect(keysOf(response.body)).toEqual(['accessToken', 'refreshToken'])
    expect(client.cookies.names().sort()).toEqual(['access_token', 'device', 'refresh_token'])
  })

  test('refuses to sign up without e-mail or without password', async () => {
    const withoutEmail = await post('/api/auth/signUp', { username: 'system3.test', password })
    expect(withoutEmail.status).toBe(400)
    const withoutPassword = await post('/api/auth/signUp', {
      email: 'system3@test.org',
      username: 'system3.test',
    })
    expect(withoutPassword.status).toBe(400)
  })

  test('refuses a wrong e-mail and a wrong password with the same response', async () => {
    const wrongEmail = await post('/api/auth/signIn', { email: 'nobody@test.org', password })
    const wrongPassword = await post('/api/auth/signIn', {
      email: 'system@test.org',
      password: 'wrong password',
    })
    expect(wrongEmail.status).toBe(401)
    expect(wrongPassword.status).toBe(401)
    expect(wrongPassword.body).toEqual(wrongEmail.body)
  })

  test('says that a share id is free', async () => {
    const response = await client.send('GET', '/api/shares/isShareIdAvailable/test-share')
    expect(response.status).toBe(200)
    expect(response.text).toBe('{"isAvailable":true}')
  })

  test('creates a share', async () => {
    const response = await share({
      id: 'test-share',
      name: 'Test share',
      description: 'This is a test share',
      security: { password: 'share-password', maxViews: 1 },
    })
    expect(response.status).toBe(201)
    expect(keysOf(response.body)).toEqual(receiptKeys)
  })

  test('uploads two files', async () => {
    for (const name of ['test-file.txt', 'test-file2.txt']) {
      const response = await upload('test-share', name, `content of ${name}`)
      expect(response.status).toBe(201)
      expect(keysOf(response.body)).toEqual(['id', 'name'])
      expect(response.body).toMatchObject({ name })
      fileIds.push((response.body as { id: string }).id)
    }
  })

  test('completes the share', async () => {
    const response = await client.send('POST', '/api/shares/test-share/complete')
    expect(response.status).toBe(202)
    expect(keysOf(response.body)).toEqual(receiptKeys)
  })

  test('refuses an id that is taken and one of two letters', async () => {
    expect(await share({ id: 'test-share' })).toMatchObject({ status: 400 })
    expect(await share({ id: 'te' })).toMatchObject({ status: 400 })
  })

  test('refuses files for a completed and for an unknown share', async () => {
    const completed = { status: 400, body: { message: 'Share is already completed' } }
    expect(await upload('test-share', 'late.txt', 'late')).toMatchObject(completed)
    expect(await upload('unknown-share', 'lost.txt', 'lost')).toMatchObject({ status: 404 })
    const withoutQuery = (shareId: string) =>
      client.send('POST', `/api/shares/${shareId}/files`, {
        bytes: 'late',
        headers: { 'Content-Type': 'application/octet-stream' },
      })
    expect(await withoutQuery('test-share')).toMatchObject(completed)
    expect(await withoutQuery('unknown-share')).toMatchObject({ status: 404 })
  })

  test('refuses to complete an unknown share, or one twice', async () => {
    const unknown = await client.send('POST', '/api/shares/unknown-share/complete')
    expect(unknown.status).toBe(404)
    const twice = await client.send('POST', '/api/shares/test-share/complete')
    expect(twice.status).toBe(400)
  })

  test('opens the share with its password', async () => {
    const response = await post('/api/shares/test-share/token', { password: 'share-password' })
    expect(response.status).toBe(200)
    expect(keysOf(response.body)).toEqual(['token'])
  })

  test('reads the share, a file and the archive', async () => {
    const read = await client.send('GET', '/api/shares/test-share')
    expect(read.status).toBe(200)
    expect(read.body).toMatchObject({
      id: 'test-share',
      hasPassword: true,
      files: [
        { name: 'test-file.txt', size: '24' },
        { name: 'test-file2.txt', size: '25' },
      ],
    })
    const file = await client.send('GET', `/api/shares/test-share/files/${fileIds[0]}`)
    expect(file).toMatchObject({ status: 200, text: 'content of test-file.txt' })
    const archive = await client.send('GET', '/api/shares/test-share/files/zip')
    expect(archive.status).toBe(200)
    expect(archive.headers['content-type']).toBe('application/zip')
    expect(archive.bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  })

  test('refuses a wrong password, and a visit past the limit', async () => {
    const wrong = await post('/api/shares/test-share/token', { password: 'wrong' })
    expect(wrong.status).toBe(403)
    expect(codeOf(wrong)).toBe('wrong_password')
    const exceeded = await post('/api/shares/test-share/token', { password: 'share-password' })
    expect(exceeded.status).toBe(403)
    expect(codeOf(exceeded)).toBe('share_max_views_exceeded')
  })
})
