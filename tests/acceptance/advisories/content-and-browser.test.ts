import { routes } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { codeOf, openShare, publishShare } from '../world/shares.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.cookie)</script></svg>'

onOneArrangement('embedded', 'content and the browser', (floe) => {
  let owner: Client
  beforeAll(async () => {
    owner = await signUp(floe)
  })

  test.each([
    ['CVE-2026-28683', 'picture.svg'],
    ['GHSA-mmpx-jh39-wrv6', 'page.html'],
  ])('%s: %s never runs as the site', async (_id, name) => {
    const { id, fileIds } = await publishShare(owner, { [name]: svg })
    for (const query of ['', '?download=false', '?download=true']) {
      const file = await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}${query}`)
      expect(file.text).toBe(svg)
      const { 'content-disposition': disposition, 'content-type': type } = file.headers
      expect(disposition?.startsWith('attachment;') || /^text\/plain\b/.test(type ?? '')).toBe(true)
      expect(file.headers['content-security-policy'], query).toMatch(
        /^sandbox;.*default-src 'none'/,
      )
      expect(file.headers['x-content-type-options'], query).toBe('nosniff')
    }
  })

  test.each([
    ['CVE-2025-48494', { file: '<img src=x onerror=alert(1)>"\'.txt' }],
    ['CVE-2025-48495', { name: '</script><script>a(1)' }],
    ['GHSA-r633-fcgp-m532', { description: '</noscript><svg onload=alert(1)>' }],
  ] as [string, { file?: string; name?: string; description?: string }][])(
    '%s: whatever somebody calls it stands in the page as text',
    async (_id, given) => {
      const { file = 'a.txt', ...told } = given
      const { id } = await publishShare(owner, { [file]: 'x' }, told)
      const visitor = createClient(floe.url)
      await openShare(visitor, id)
      const { text } = await visitor.send('GET', `/share/${id}`)
      const hostile = Object.values(given)[0] ?? ''
      expect(text).not.toContain(hostile)
      expect(text).toContain(hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;').slice(0, 12))
      expect(text).not.toMatch(/<(?:img|svg)[^>]*(?:onerror|onload)/)
      // Of each, as many as any page has.
      const plain = (await createClient(floe.url).send('GET', '/share/nothing-here')).text
      for (const tag of [/<script/g, /<noscript/g]) {
        expect(text.match(tag)?.length, String(tag)).toBe(plain.match(tag)?.length)
      }
    },
  )

  test('CVE-2026-40096: what a preview tells cannot end its tag', async () => {
    const name = '0;url=//e.x"><meta http-equiv='
    const { id } = await publishShare(owner, { 'a.txt': 'a' }, { name })
    const { text } = await createClient(floe.url).send('GET', `/share/${id}`)
    expect(text).toContain('<meta property="og:title" content="0;url=//e.x&quot;&gt;&lt;meta')
    expect(text.replaceAll(/"[^"]*"/g, '')).not.toMatch(/<meta[^>]*http-equiv/i)
  })

  test('CVE-2026-25118: no password and no token is taken from an address', async () => {
    const password = 'open sesame'
    const { id, fileIds } = await publishShare(owner, { 'a.txt': 'a' }, { security: { password } })
    const given = new URLSearchParams({ password, token: password, slug: password }).toString()
    const visitor = createClient(floe.url)
    for (const [method, path] of [
      ['POST', `/api/shares/${id}/token`],
      ['GET', `/api/shares/${id}`],
      ['GET', `/api/shares/${id}/files/${fileIds[0]}`],
    ] as const) {
      const response = await visitor.send(
        method,
        `${path}?${given}`,
        method === 'POST' ? { json: {} } : {},
      )
      expect(codeOf(response), path).toBe('share_password_required')
    }
    const parameters = Object.values(routes).flatMap((route) =>
      'query' in route ? Object.keys(route.query.shape) : [],
    )
    expect(parameters.length).toBeGreaterThan(5)
    expect(parameters.filter((name) => /pass|token|secret|key/i.test(name))).toEqual([])
  })

  test('GHSA-hcff-qv74-7hr4: another site signs nobody in', async () => {
    const account = newAccount()
    await signUp(floe, account)
    const form = new URLSearchParams({
      email: account.email,
      password: account.password,
    }).toString()
    const attempts = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ].map((headers) => ({ json: account, headers }))
    for (const options of [
      ...attempts,
      { bytes: form, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { bytes: JSON.stringify(account), headers: { 'Content-Type': 'text/plain' } },
    ]) {
      const browser = createClient(floe.url)
      const response = await browser.send('POST', '/api/auth/signIn', options)
      expect(response.status, JSON.stringify(options)).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(browser.cookies.names()).toEqual([])
    }
    const own = await createClient(floe.url).send('POST', '/api/auth/signIn', { json: account })
    for (const cookie of own.headers['set-cookie'] ?? []) {
      expect(cookie).toMatch(/; HttpOnly/i)
      expect(cookie).toMatch(/; SameSite=(?:Lax|Strict)/i)
    }
  })
})
