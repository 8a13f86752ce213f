import { beforeAll, expect, test } from 'vitest'
import { newAccount, signIn, signUp } from './world/accounts.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { createClient } from './world/http-client.ts'
import { copyOf, expectEnded, me, renew } from './world/sessions.ts'
import { codeOf, createShare, keysOf, newShareId } from './world/shares.ts'

onOneArrangement('split', 'a session', (floe) => {
  const account = newAccount()
  beforeAll(() => signUp(floe, account))

  test('is kept in cookies that scripts cannot read', async () => {
    const client = createClient(floe.url)
    const response = await client.send('POST', '/api/auth/signIn', { json: account })
    const cookies = response.headers['set-cookie'] ?? []
    expect(cookies).toHaveLength(3)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; *HttpOnly/i)
      expect(cookie).toMatch(/; *SameSite=(Lax|Strict)/i)
    }
    expect(cookies.find((cookie) => cookie.startsWith('refresh_token='))).toMatch(
      /; *Path=\/api\/auth\/token;.*SameSite=Strict/i,
    )
    expect(cookies.find((cookie) => cookie.startsWith('device='))).toMatch(/; *Path=\/api\/auth;/i)
    expect((await me(client)).body).toMatchObject({ email: account.email, hasPassword: true })
  })

  test('renews with a refresh token that changes every time', async () => {
    const client = await signIn(floe.url, account)
    const seen = new Set([client.cookies.get('refresh_token')])
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await renew(client)
      expect(response.status).toBe(200)
      expect(keysOf(response.body)).toEqual(['accessToken'])
      seen.add(client.cookies.get('refresh_token'))
    }
    expect(seen.size).toBe(4)
    expect((await me(client)).status).toBe(200)
  })

  test('stays with both of two tabs that renew at once', async () => {
    const client = await signIn(floe.url, account)
    const tab = copyOf(client)
    const responses = await Promise.all([renew(client), renew(tab)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect((await renew(client)).status).toBe(200)
    expect((await renew(tab)).status).toBe(200)
  })

  test('does not renew without a refresh token or with a made-up one', async () => {
    const client = createClient(floe.url)
    expect(await renew(client)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    client.cookies.set('refresh_token', 'made-up', '/api/auth/token')
    expect((await renew(client)).status).toBe(401)
  })

  test('ends at once with signing out, for copies of its cookies too', async () => {
    const client = await signIn(floe.url, account)
    const other = await signIn(floe.url, account)
    const copy = copyOf(client)
    expect(await client.send('POST', '/api/auth/signOut')).toMatchObject({ status: 201, text: '' })
    // That this browser was here before opens nothing; it is what keeps its user from lock-out.
    expect(client.cookies.names()).toEqual(['device'])
    await expectEnded(copy)
    expect((await me(other)).status).toBe(200)
  })

  test('ends when the password changes, and goes on in a new one where that was', async () => {
    const mine = newAccount()
    const here = await signUp(floe, mine)
    const elsewhere = await signIn(floe.url, mine)
    const copy = copyOf(here)
    const wrong = await here.send('PATCH', '/api/auth/password', {
      json: { oldPassword: 'wrong', password: 'another password' },
    })
    expect(wrong.status).toBe(403)
    const changed = await here.send('PATCH', '/api/auth/password', {
      json: { oldPassword: mine.password, password: 'another password' },
    })
    expect(changed.status).toBe(200)
    expect(keysOf(changed.body)).toEqual(['refreshToken'])
    await expectEnded(elsewhere)
    await expectEnded(copy)
    expect((await me(here)).status).toBe(200)
    const old = await createClient(floe.url).send('POST', '/api/auth/signIn', { json: mine })
    expect(old.status).toBe(401)
  })

  test('ends with its account', async () => {
    const mine = newAccount()
    const client = await signUp(floe, mine)
    const copy = copyOf(client)
    expect((await client.send('DELETE', '/api/users/me')).status).toBe(200)
    await expectEnded(copy)
    const again = await createClient(floe.url).send('POST', '/api/auth/signIn', { json: mine })
    expect(again.status).toBe(401)
  })

  test('is not opened by a forged or altered access token', async () => {
    const client = await signIn(floe.url, account)
    const [head = '', claims = '', signature = ''] = (
      client.cookies.get('access_token') ?? ''
    ).split('.')
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
    const altered = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
    const promoted = Buffer.from(JSON.stringify({ ...altered, isAdmin: true })).toString(
      'base64url',
    )
    for (const token of [unsigned, `${head}.${promoted}.${signature}`, `${head}.${claims}.`, 'x']) {
      const forger = createClient(floe.url)
      forger.cookies.set('access_token', token)
      expect((await me(forger)).status, token).toBe(403)
    }
  })

  test.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['another site that says so', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
  ])('changes nothing for %s', async (_who, headers: Record<string, string>) => {
    const client = await signIn(floe.url, account)
    const id = newShareId()
    const json = { id, expiration: '1-day', recipients: [] }
    const refused = await client.send('POST', '/api/shares', { json, headers })
    expect(refused.status).toBe(403)
    expect(codeOf(refused)).toBe('cross_site_request')
    const signedOut = await client.send('POST', '/api/auth/signOut', { headers })
    expect(signedOut.status).toBe(403)
    const free = await client.send('GET', `/api/shares/isShareIdAvailable/${id}`)
    expect(free.body).toEqual({ isAvailable: true })
    await createShare(client, { id })
  })

  test('serves its own page and plain scripts', async () => {
    const client = await signIn(floe.url, account)
    const own: Record<string, string>[] = [
      {},
      { Origin: floe.url },
      { Origin: floe.url, 'Sec-Fetch-Site': 'same-origin' },
    ]
    for (const headers of own) {
      const json = { id: newShareId(), expiration: '1-day', recipients: [] }
      expect((await client.send('POST', '/api/shares', { json, headers })).status).toBe(201)
    }
  })
})
