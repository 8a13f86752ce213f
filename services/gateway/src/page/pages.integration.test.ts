import { configCatalogue, isConfigKey, isPageSetting } from '@floe/contracts'
import { afterEach, expect, test } from 'vitest'
import { send } from '../testing/gateway-rig.ts'
import { bootOf, createPageRigs, identity, viewOf } from '../testing/page-rig.ts'

const { start, startWithPages, closeAll } = createPageRigs()
afterEach(closeAll)

test('the page brings what it starts with', async () => {
  const rig = await startWithPages({ identity, settings: { 'general.appName': 'A </script> B' } })
  const payload = Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url')
  const cookie = `access_token=a.${payload}.c; mantine-color-scheme=dark; language=xx`
  const page = await send(rig, '/account', { headers: { Cookie: cookie } })
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  expect(page.text).toContain('lang="en" dir="ltr" data-mantine-color-scheme="dark"')
  expect(page.text).toContain('<title>A &lt;/script&gt; B</title>')
  const { settings, ...boot } = bootOf(page.text)
  expect(boot).toEqual({
    user: {
      id: identity.userId,
      username: 'ann',
      email: 'ann@example.com',
      isAdmin: false,
      hasPassword: true,
      totpVerified: true,
      shareSizeLimit: null,
    },
    language: 'en',
    colorScheme: 'dark',
    logo: null,
    darkLogo: null,
    legal: { imprint: null, privacy: null },
    styles: { accent: null, custom: null },
    isSetUp: false,
    hasAccounts: true,
    version: '1.2.3',
    accessTokenExpiresAt: '2027-01-15T08:00:00.000Z',
  })
  expect(settings).toMatchObject({ 'general.appName': 'A </script> B' })
  expect(settings).not.toHaveProperty(['share.zipCompressionLevel'])
})

test('a link preview names the address that was set, and never the one it was asked at', async () => {
  const told = async (options: Parameters<typeof startWithPages>[0]) => {
    const rig = await startWithPages(options)
    const { text } = await send(rig, '/share/holiday', { headers: { Host: 'evil.example' } })
    return /<meta property="og:url" content="([^"]*)"/.exec(text)?.[1]
  }
  expect(await told({})).toBeUndefined()
  expect(await told({ settings: { 'general.appUrl': 'https://own.example/' } })).toBe(
    'https://own.example/share/holiday',
  )
  expect(await told({ publicUrl: 'https://own.example' })).toBe('https://own.example/share/holiday')
})

test('a page announces all it consists of, in the language it speaks', async () => {
  const rig = await startWithPages({ shareRefusal: 'share_token_required' })
  const locked = await startWithPages({ shareRefusal: 'share_password_required' })
  const announcedAt = async (path: string, { of = rig, language = 'en' } = {}) => {
    const { text } = await send(of, path, { headers: { 'Accept-Language': language } })
    const links = text.matchAll(
      /<link rel="(\w+)"(?: fetchpriority="low")? crossorigin href="\/assets\/([^"]*)" \/>/g,
    )
    return [...links].map(([, rel, file]) => `${rel} ${file}`)
  }
  const share = ['stylesheet share.css', 'modulepreload share.js']
  expect(await announcedAt('/share/holiday')).toEqual([...share, 'modulepreload en.js'])
  expect(await announcedAt('/share/holiday', { of: locked, language: 'de' })).toEqual([
    ...share,
    'modulepreload form.js',
    'modulepreload de.js',
  ])
  const texts = ['modulepreload en.js', 'modulepreload en-rest.js']
  const upload = ['modulepreload upload.js', 'modulepreload form.js']
  expect(await announcedAt('/upload')).toEqual([...upload, ...texts])
  expect(await announcedAt('/nope')).toEqual(['modulepreload not-found.js', ...texts])
})

test('the page holds every short public setting and no other, secrets least of all', async () => {
  const rig = await startWithPages({
    settings: {
      'smtp.password': 'hidden-password',
      'smtp.host': 'hidden-host',
      'oauth.github-clientId': 'hidden-id',
      'oauth.github-clientSecret': 'hidden-secret',
    },
  })
  const { text } = await send(rig, '/')
  expect(text).not.toContain('hidden-')
  const sent = Object.keys(configCatalogue).filter((key) => isConfigKey(key) && isPageSetting(key))
  expect(Object.keys(bootOf(text)['settings'] as object).sort()).toEqual(sent.sort())
  expect(sent).not.toContain('legal.imprintText')
})

test('a legal page draws its text, leads to its address, and is not there without either', async () => {
  const rig = await startWithPages({
    settings: {
      'legal.enabled': true,
      'legal.imprintText': 'Ann Example, *Sea Street 1*',
      'legal.privacyPolicyUrl': 'https://example.org/privacy',
    },
  })
  const imprint = await send(rig, '/imprint')
  expect(imprint.status).toBe(200)
  expect(viewOf(imprint.text).legalText).toBe('Ann Example, *Sea Street 1*')
  expect(bootOf(imprint.text)['legal']).toEqual({
    imprint: '/imprint',
    privacy: 'https://example.org/privacy',
  })
  const privacy = await send(rig, '/privacy')
  expect([privacy.status, privacy.headers['location']]).toEqual([
    302,
    'https://example.org/privacy',
  ])
  expect(viewOf((await send(rig, '/')).text)).not.toHaveProperty('legalText')
  const without = await startWithPages({ settings: { 'legal.imprintText': 'Not yet' } })
  for (const path of ['/imprint', '/privacy']) {
    const page = await send(without, path)
    expect(page.status).toBe(404)
    expect(page.text).not.toContain('Not yet')
  }
})

test("a share's page is told why its visitor would be refused, other pages nothing", async () => {
  const rig = await startWithPages({ shareRefusal: 'share_password_required' })
  const bootAt = async (path: string) => bootOf((await send(rig, path)).text)
  expect((await bootAt('/share/holiday'))['share']).toEqual({
    id: 'holiday',
    refusal: 'share_password_required',
  })
  for (const path of ['/upload', '/share/a%2Fb', '/share/holiday/edit']) {
    expect(await bootAt(path)).not.toHaveProperty('share')
  }
})

test("a share's page opens to whom it is for, and to nobody else", async () => {
  for (const shareRefusal of ['private_share', 'share_password_required'] as const) {
    const rig = await startWithPages({ shareRefusal, receiverToken: 'theirs' })
    const refusalFor = async (cookie: string) => {
      const { text } = await send(rig, '/share/holiday', { headers: { Cookie: cookie } })
      return bootOf(text)['share']
    }
    expect(await refusalFor('access_token=theirs')).toEqual({ id: 'holiday', refusal: null })
    for (const cookie of ['access_token=another', 'a=b']) {
      expect(await refusalFor(cookie)).toEqual({ id: 'holiday', refusal: shareRefusal })
    }
  }
})

test("nobody's share is refused before an ended access token was renewed", async () => {
  const rig = await startWithPages({ shareRefusal: 'share_password_required' })
  const claims = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')
  const headers = { Cookie: `access_token=a.${claims}.b` }
  const { text } = await send(rig, '/share/holiday', { headers })
  expect(bootOf(text)).not.toHaveProperty('share')
})

test('the page knows whether anybody has an account', async () => {
  for (const [accounts, hasAccounts] of [
    [0, false],
    [2, true],
  ] as const) {
    const rig = await startWithPages({ accounts })
    expect(bootOf((await send(rig, '/auth/signUp')).text)['hasAccounts']).toBe(hasAccounts)
  }
})

test('the page knows whether the welcome of the first run is over', async () => {
  const rig = await startWithPages()
  const isSetUp = async () => bootOf((await send(rig, '/')).text)['isSetUp']
  expect(await isSetUp()).toBe(false)
  rig.finishSetup()
  expect(await isSetUp()).toBe(true)
})

test('a visitor without a session starts as nobody', async () => {
  const rig = await startWithPages({ identity })
  expect(bootOf((await send(rig, '/')).text)).toMatchObject({
    user: null,
    accessTokenExpiresAt: null,
  })
})

test('unknown pages say 404 and still show the application', async () => {
  const rig = await startWithPages()
  for (const [path, status] of [
    ['/share/abc', 200],
    ['/share/abc/edit?x=1', 200],
    ['/admin/config/general', 200],
    ['/nope', 404],
    ['/index.html', 404],
    ['/shell/shell.js', 404],
  ] as const) {
    const page = await send(rig, path)
    expect([page.status, page.text.includes('floe-boot')], path).toEqual([status, true])
  }
})

test('short links lead to the share', async () => {
  const rig = await startWithPages()
  const short = await send(rig, '/s/Ab-_9')
  expect([short.status, short.headers.location]).toEqual([307, '/share/Ab-_9'])
  for (const id of ['ab', 'a%2f%2fevil.example', '%0d%0aX:1', 'a'.repeat(51)]) {
    expect((await send(rig, `/s/${id}`)).status, id).toBe(404)
  }
})

test('without a build the page says so and the API works', async () => {
  const rig = await start()
  const page = await send(rig, '/')
  expect(page.status).toBe(503)
  expect(page.text).toContain('not built')
  expect((await send(rig, '/api/health')).text).toBe('OK')
})
