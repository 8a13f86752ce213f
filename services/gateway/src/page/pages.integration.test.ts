import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  configCatalogue,
  type Identity,
  PAGE_CLASSES_FILE,
  PAGE_FILES_FILE,
  PAGE_TEXTS_FILE,
  type PageFiles,
} from '@floe/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import {
  pageClasses,
  pageTexts,
  type Rig,
  type RigOptions,
  send,
  startGateway,
} from '../testing/gateway-rig.ts'
import { precompress } from './precompress.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(options: RigOptions = {}): Promise<Rig> {
  const rig = await startGateway(options)
  closers.push(rig.close)
  return rig
}

const identity: Identity = {
  userId: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f11',
  sessionId: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f12',
  username: 'ann',
  email: 'ann@example.com',
  isAdmin: false,
  hasPassword: true,
  totpVerified: true,
}

const pageFiles: PageFiles = {
  pages: [
    {
      pattern: '^/share/[^/]+$',
      files: ['/assets/share.css', '/assets/share.js'],
      needsAllTexts: false,
    },
    { pattern: '^/upload$', files: ['/assets/upload.js', '/assets/form.js'], needsAllTexts: true },
    { pattern: '(?:)', files: ['/assets/not-found.js'], needsAllTexts: true },
  ],
  password: ['/assets/share.js', '/assets/form.js'],
  texts: {
    en: { frame: ['/assets/en.js'], rest: ['/assets/en-rest.js'] },
    de: { frame: ['/assets/de.js'], rest: ['/assets/de-rest.js'] },
  },
}

describe('pages', () => {
  async function startWithPages(options: RigOptions = {}): Promise<Rig> {
    const directory = mkdtempSync(join(tmpdir(), 'floe-web-'))
    closers.push(() => rmSync(directory, { recursive: true }))
    mkdirSync(join(directory, 'assets'))
    mkdirSync(join(directory, 'img'))
    mkdirSync(join(directory, 'manifests'))
    writeFileSync(
      join(directory, 'index.html'),
      '<html lang="__FLOE_LANG__" dir="__FLOE_DIR__" data-mantine-color-scheme="__FLOE_COLOR_SCHEME__">' +
        '<title>__FLOE_TITLE__</title><link rel="icon" href="/favicon.ico?v=__FLOE_LOGO__">' +
        '<!--floe-meta--><!--floe-boot--><!--floe-files--><body><!--floe-first-paint--></body></html>',
    )
    writeFileSync(join(directory, PAGE_TEXTS_FILE), JSON.stringify(pageTexts()))
    writeFileSync(join(directory, PAGE_CLASSES_FILE), JSON.stringify(pageClasses()))
    writeFileSync(join(directory, PAGE_FILES_FILE), JSON.stringify(pageFiles))
    writeFileSync(
      join(directory, 'manifests/en.webmanifest'),
      JSON.stringify({
        name: 'x',
        short_name: 'x',
        icons: [{ src: '/img/logo.png', sizes: '9x9' }],
        shortcuts: [{ name: 'Upload', icons: [{ src: '/img/logo.png' }] }],
      }),
    )
    writeFileSync(join(directory, 'assets/app-abc123.js'), 'console.log("x");\n'.repeat(500))
    writeFileSync(join(directory, 'img/logo.png'), Buffer.from([0x89, 0x50]))
    await precompress(directory)
    return start({ webDirectory: directory, ...options })
  }

  function bootOf(text: string): Record<string, unknown> {
    const json = /<script id="floe-boot" type="application\/json">(.*?)<\/script>/s.exec(text)?.[1]
    return JSON.parse(json ?? 'null') as Record<string, unknown>
  }

  test('the page brings what it starts with', async () => {
    const rig = await startWithPages({ identity, settings: { 'general.appName': 'A </script> B' } })
    const payload = Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url')
    const cookie = `access_token=a.${payload}.c; mantine-color-scheme=dark; language=xx`
    const page = await send(rig, '/account', { headers: { Cookie: cookie } })
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
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
      },
      language: 'en',
      colorScheme: 'dark',
      logo: null,
      isSetUp: false,
      version: '1.2.3',
      accessTokenExpiresAt: '2027-01-15T08:00:00.000Z',
    })
    expect(settings).toMatchObject({ 'general.appName': 'A </script> B' })
    expect(settings).not.toHaveProperty(['share.zipCompressionLevel'])
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

  test('the page holds every public setting and no other, secrets least of all', async () => {
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
    const isPublic = Object.entries(configCatalogue).filter(([, variable]) => variable.public)
    expect(Object.keys(bootOf(text)['settings'] as object).sort()).toEqual(
      isPublic.map(([key]) => key).sort(),
    )
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

  test("a private share's page opens to whom it is for, and to nobody else", async () => {
    const rig = await startWithPages({ shareRefusal: 'private_share', receiverToken: 'theirs' })
    const refusalFor = async (cookie: string) => {
      const { text } = await send(rig, '/share/holiday', { headers: { Cookie: cookie } })
      return bootOf(text)['share']
    }
    expect(await refusalFor('access_token=theirs')).toEqual({ id: 'holiday', refusal: null })
    for (const cookie of ['access_token=another', 'a=b']) {
      expect(await refusalFor(cookie)).toEqual({ id: 'holiday', refusal: 'private_share' })
    }
  })

  test('a share with a password opens by its cookie, whoever asks', async () => {
    const rig = await startWithPages({
      shareRefusal: 'share_password_required',
      receiverToken: 'theirs',
    })
    const headers = { Cookie: 'access_token=theirs' }
    const { text } = await send(rig, '/share/holiday', { headers })
    expect(bootOf(text)['share']).toMatchObject({ refusal: 'share_password_required' })
  })

  describe('before a script runs, and where none does', () => {
    const sharePreview = {
      name: 'Holiday',
      expiresAt: null,
      fileCount: 3,
      sizeBytes: 6,
      download: 'zip' as const,
    }
    const shareContents = {
      ...sharePreview,
      name: '</noscript><script>x</script>',
      description: 'A <b>note</b>',
      files: ['a', 'b', 'c'].map((letter) => ({
        id: `6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f1${letter}`,
        name: `${letter}".txt`,
        sizeBytes: 2,
      })),
    }
    const plainOf = (text: string) => /<noscript[^]*<\/noscript/.exec(text)?.[0] ?? ''
    const mainOf = (text: string) => /<main[^]*<\/main>/.exec(text)?.[0] ?? ''

    test('the page of a share has a form that opens it, and tags for previews', async () => {
      const rig = await startWithPages({ shareRefusal: 'share_token_required', sharePreview })
      const { text, headers } = await send(rig, '/share/holiday')
      expect(plainOf(text)).toContain('action="/api/shares/holiday/open"')
      expect(plainOf(text)).toContain('href="/api/shares/holiday/files/zip"')
      expect(text).toContain('<title>Holiday – Floe</title>')
      expect(text).toContain('<meta property="og:title" content="Holiday" />')
      expect(text).toContain(`content="http://127.0.0.1:${rig.port}/share/holiday"`)
      expect(headers['content-security-policy']).toContain("form-action 'self'")
      expect(text.match(/<script/g)).toHaveLength(1)
    })

    test('who was let in gets the files, with every name as text', async () => {
      const rig = await startWithPages({
        shareRefusal: 'private_share',
        receiverToken: 'theirs',
        shareContents,
      })
      const { text } = await send(rig, '/share/holiday', {
        headers: { Cookie: 'access_token=theirs' },
      })
      const plain = plainOf(text)
      expect(plain.match(/ download/g)).toHaveLength(4)
      expect(plain).toContain('a&quot;.txt')
      expect(mainOf(text)).toContain('A &lt;b&gt;note&lt;/b&gt;')
      expect(text.match(/<\/noscript/g)).toHaveLength(1)
      expect(text.match(/<script/g)).toHaveLength(1)
      // Previews are not for them: the tags are those of nobody.
      expect(text).toContain('<meta property="og:title" content="Floe" />')
    })

    test('a share that does not open says why, in the words of the page', async () => {
      const rig = await startWithPages({ shareRefusal: 'share_removed' })
      const plain = plainOf((await send(rig, '/share/holiday')).text)
      expect(plain).toContain('share.deadEnd.removed.title')
      expect(plain).toContain('What whoever refused it wrote')
      expect(plain).not.toContain('<form')
    })

    test('a path that is no share is told apart from one that nobody could judge', async () => {
      const rig = await startWithPages({ shareRefusal: 'upstream_unavailable' })
      const plainAt = async (path: string) => plainOf((await send(rig, path)).text)
      expect(await plainAt('/share/a%2Fb')).toContain('share.deadEnd.notFound.title')
      expect(await plainAt('/share/holiday')).toContain('share.deadEnd.unknown.title')
      expect(await plainAt('/upload')).toBe('')
    })

    test('a page shows its heading to whoever will see it, and its bar to everybody', async () => {
      const headingAt = async (path: string, options: RigOptions = {}) => {
        const rig = await startWithPages(options)
        const { text } = await send(rig, path)
        expect(text).toContain('<header class="NavigationBar.header">')
        return /<h1[^>]*>\s*([\w.]+)/.exec(mainOf(text))?.[1] ?? null
      }
      expect(await headingAt('/')).toBe('home.headline')
      expect(await headingAt('/', { settings: { 'general.showHomePage': false } })).toBeNull()
      expect(await headingAt('/auth/signIn')).toBe('auth.signIn.title')
      expect(await headingAt('/auth/signUp')).toBe('auth.signUp.title')
      const closed = { settings: { 'share.allowRegistration': false } }
      expect(await headingAt('/auth/signUp', closed)).toBeNull()
      expect(await headingAt('/upload')).toBeNull()
      const open = { settings: { 'share.allowUnauthenticatedShares': true } }
      expect(await headingAt('/upload', open)).toBe('upload.title')
      expect(await headingAt('/nope')).toBeNull()
    })

    test('who is signed in sees the heading of no page that leads them elsewhere', async () => {
      const rig = await startWithPages({ identity })
      const Cookie = 'access_token=a.b.c'
      const mainAt = async (path: string) =>
        mainOf((await send(rig, path, { headers: { Cookie } })).text)
      expect(await mainAt('/')).toBe('')
      expect(await mainAt('/auth/signIn')).toBe('')
      expect(await mainAt('/upload')).toContain('upload.drop.title')
    })

    test('the settings, which have no bar, begin empty', async () => {
      const rig = await startWithPages()
      expect((await send(rig, '/admin/config/general')).text).not.toContain('<header')
    })

    test('a share shows its name ahead of its scripts only where it opens to everybody', async () => {
      const rig = await startWithPages({ shareRefusal: 'share_token_required', sharePreview })
      const main = mainOf((await send(rig, '/share/holiday')).text).replace(/<noscript[^]*/, '')
      expect(main).toMatch(/<h1[^>]*>\s*<bdi>Holiday<\/bdi>/)
      expect(main).toContain('share.summary 3 6')
      for (const shareRefusal of ['share_password_required', 'private_share'] as const) {
        const closed = await startWithPages({ shareRefusal, shareContents })
        const { text } = await send(closed, '/share/holiday')
        expect(mainOf(text).replace(/<noscript[^]*/, '')).not.toContain('<h1')
      }
    })

    test('what a form did not open is told, and nothing that a link makes up', async () => {
      const rig = await startWithPages({ shareRefusal: 'share_password_required' })
      const plainAt = async (query: string) =>
        plainOf((await send(rig, `/share/holiday${query}`)).text)
      expect(await plainAt('?refused=wrong_password')).toContain('share.password.invalid')
      for (const query of ['', '?refused=%3Cb%3E', '?refused[]=wrong_password', '?refused=']) {
        expect(await plainAt(query), query).not.toContain('role="alert"')
      }
    })

    test('previews name the configured address of the site, whatever host was asked', async () => {
      const settings = { 'general.appUrl': 'https://floe.example' }
      const rig = await startWithPages({ settings, sharePreview })
      const imageFor = async (host: string) => {
        const { text } = await send(rig, '/share/holiday', { headers: { Host: host } })
        return /"og:image" content="([^"]*)"/.exec(text)?.[1]
      }
      expect(await imageFor('evil.example')).toBe('https://floe.example/img/logo.png?v=1.2.3')
    })
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
    ] as const) {
      const page = await send(rig, path)
      expect([page.status, page.text.includes('floe-boot')], path).toEqual([status, true])
    }
  })

  test('a missing file is missing', async () => {
    const rig = await startWithPages()
    for (const path of [
      '/assets/gone.js',
      '/img/gone.png',
      '/assets/..%2findex.html',
      '/assets/%2e%2e/',
    ]) {
      const answer = await send(rig, path, { headers: { Accept: 'text/html' } })
      expect([answer.status, answer.code], path).toEqual([404, 'route_not_found'])
    }
    const script = await send(rig, '/nope.js', { headers: { Accept: 'application/json' } })
    expect(script.code).toBe('route_not_found')
    expect((await send(rig, '/', { method: 'POST' })).status).toBe(404)
  })

  test('short links lead to the share', async () => {
    const rig = await startWithPages()
    const short = await send(rig, '/s/Ab-_9')
    expect([short.status, short.headers.location]).toEqual([307, '/share/Ab-_9'])
    for (const id of ['ab', 'a%2f%2fevil.example', '%0d%0aX:1', 'a'.repeat(51)]) {
      expect((await send(rig, `/s/${id}`)).status, id).toBe(404)
    }
  })

  test('hashed files stay for a year, others are asked for again', async () => {
    const rig = await startWithPages()
    const script = await send(rig, '/assets/app-abc123.js')
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const logo = await send(rig, '/img/logo.png')
    expect([logo.headers['cache-control'], logo.body.length]).toEqual(['no-cache', 2])
    const headers = { 'If-None-Match': String(logo.headers.etag) }
    const again = await send(rig, '/img/logo.png', { headers })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const head = await send(rig, '/img/logo.png', { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '2', 0])
  })

  const logoOf = (letter: string, text: string) => ({
    version: letter.repeat(16),
    icons: { 'img/logo.png': Buffer.from(text).toString('base64') },
  })

  test('the logo that was set stands in for the built one, and no cache keeps an old one', async () => {
    const options: RigOptions = {}
    const rig = await startWithPages(options)
    const built = await send(rig, '/img/logo.png')
    const seen = [built]
    for (const logo of [logoOf('a', 'first'), logoOf('b', 'second'), undefined]) {
      rig.setLogo(logo)
      const headers = { 'If-None-Match': String(seen.at(-1)?.headers.etag) }
      const answer = await send(rig, '/img/logo.png?v=anything', { headers })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'no-cache',
      })
      const again = { 'If-None-Match': String(answer.headers.etag) }
      expect((await send(rig, '/img/logo.png', { headers: again })).status).toBe(304)
      seen.push(answer)
    }
    expect(seen.slice(1, 3).map(({ text }) => text)).toEqual(['first', 'second'])
    expect(seen[3]?.body).toEqual(built.body)
  })

  test('what was not built is not there, whatever the logo', async () => {
    const rig = await startWithPages()
    const icons = {
      'img/other.png': '',
      'assets/app-abc123.js': '',
      'manifests/en.webmanifest': '',
    }
    rig.setLogo({ version: 'a'.repeat(16), icons })
    expect((await send(rig, '/img/other.png')).status).toBe(404)
    expect((await send(rig, '/assets/app-abc123.js')).text).toContain('console.log')
    expect((await send(rig, '/img/logo.png')).body).toEqual(Buffer.from([0x89, 0x50]))
  })

  test('while the settings cannot be asked for, the logo last heard of stays', async () => {
    const rig = await startWithPages()
    rig.setLogo(logoOf('a', 'first'))
    expect((await send(rig, '/img/logo.png')).text).toBe('first')
    rig.setLogo('unreachable')
    expect((await send(rig, '/img/logo.png')).text).toBe('first')
    expect(bootOf((await send(rig, '/')).text)).toMatchObject({ logo: 'a'.repeat(16) })
    expect(rig.logged.join()).toContain('last known logo')
  })

  test('a logo whose icons cannot be read is the built one until they can', async () => {
    const rig = await startWithPages()
    rig.setLogo({ version: 'a'.repeat(16), icons: 'unreachable' })
    expect((await send(rig, '/img/logo.png')).body).toEqual(Buffer.from([0x89, 0x50]))
    rig.setLogo(logoOf('a', 'first'))
    expect((await send(rig, '/img/logo.png')).text).toBe('first')
  })

  test('the addresses of icons in page and manifest change with the logo', async () => {
    const rig = await startWithPages({ settings: { 'general.appName': 'A "B" </C>' } })
    const tags: string[] = []
    for (const logo of [undefined, logoOf('a', 'first'), logoOf('b', 'second')]) {
      rig.setLogo(logo)
      const tag = /favicon\.ico\?v=([^"]+)"/.exec((await send(rig, '/')).text)?.[1] ?? ''
      const manifest = await send(rig, '/manifests/en.webmanifest')
      expect(manifest.headers).toMatchObject({
        'content-type': 'application/manifest+json; charset=utf-8',
        'cache-control': 'no-cache',
      })
      expect(JSON.parse(manifest.text)).toEqual({
        name: 'A "B" </C>',
        short_name: 'A "B" </C>',
        icons: [{ src: `/img/logo.png?v=${tag}`, sizes: '9x9' }],
        shortcuts: [{ name: 'Upload', icons: [{ src: `/img/logo.png?v=${tag}` }] }],
      })
      tags.push(tag)
    }
    expect(tags).toEqual(['1.2.3', 'a'.repeat(16), 'b'.repeat(16)])
  })

  test('compressed files go to those who take them', async () => {
    const rig = await startWithPages()
    const get = (coding: string) =>
      send(rig, '/assets/app-abc123.js', { headers: { 'Accept-Encoding': coding } })
    const [plain, brotli, zipped] = [
      await get('identity'),
      await get('gzip, br'),
      await get('gzip'),
    ]
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    expect(gunzipSync(zipped.body)).toEqual(plain.body)
    expect(new Set([plain, brotli, zipped].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, brotli, zipped]) expect(headers.vary).toBe('Accept-Encoding')
    expect((await send(rig, '/assets/app-abc123.js.br')).status).toBe(404)
  })

  test('without a build the page says so and the API works', async () => {
    const rig = await start()
    const page = await send(rig, '/')
    expect(page.status).toBe(503)
    expect(page.text).toContain('not built')
    expect((await send(rig, '/api/health')).text).toBe('OK')
  })
})
