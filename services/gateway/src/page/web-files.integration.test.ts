import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { type RigOptions, send } from '../testing/gateway-rig.ts'
import { bootOf, createPageRigs } from '../testing/page-rig.ts'

const { startWithPages, closeAll } = createPageRigs()
afterEach(closeAll)

test('a missing file is missing', async () => {
  const rig = await startWithPages()
  for (const path of [
    '/assets/gone.js',
    '/img/gone.png',
    '/assets/..%2findex.html',
    '/assets/%2e%2e/',
  ]) {
    const response = await send(rig, path, { headers: { Accept: 'text/html' } })
    expect([response.status, response.code], path).toEqual([404, 'route_not_found'])
  }
  const script = await send(rig, '/nope.js', { headers: { Accept: 'application/json' } })
  expect(script.code).toBe('route_not_found')
  expect((await send(rig, '/', { method: 'POST' })).status).toBe(404)
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

test('the logo may be shown by other sites, as mail programs do, and nothing else', async () => {
  const rig = await startWithPages()
  const policyOf = async (path: string) =>
    (await send(rig, path)).headers['cross-origin-resource-policy']
  expect(await policyOf('/img/logo.png')).toBe('cross-origin')
  expect(await policyOf('/assets/app-abc123.js')).toBe('same-origin')
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
    const response = await send(rig, '/img/logo.png?v=anything', { headers })
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'no-cache',
    })
    const again = { 'If-None-Match': String(response.headers.etag) }
    expect((await send(rig, '/img/logo.png', { headers: again })).status).toBe(304)
    seen.push(response)
  }
  expect(seen.slice(1, 3).map(({ text }) => text)).toEqual(['first', 'second'])
  expect(seen[3]?.body).toEqual(built.body)
})

test('the dark logo is at its own address, where without it the usual one is', async () => {
  const rig = await startWithPages()
  const textAt = async (path: string) => (await send(rig, path)).text
  expect((await send(rig, '/img/logo-dark.png')).body).toEqual(Buffer.from([0x89, 0x50]))
  rig.setLogo(logoOf('a', 'light'))
  expect(await textAt('/img/logo-dark.png')).toBe('light')
  const icons = { 'img/logo-dark.png': Buffer.from('dark').toString('base64') }
  rig.setDarkLogo({ version: 'd'.repeat(16), icons })
  expect(await textAt('/img/logo-dark.png?v=anything')).toBe('dark')
  expect(await textAt('/img/logo.png')).toBe('light')
  expect(bootOf(await textAt('/'))).toMatchObject({
    logo: 'a'.repeat(16),
    darkLogo: 'd'.repeat(16),
  })
  rig.setLogo(undefined)
  expect(await textAt('/img/logo-dark.png')).toBe('dark')
  expect((await send(rig, '/img/logo.png')).body).toEqual(Buffer.from([0x89, 0x50]))
  for (const path of ['/img/other-dark.png', '/assets/app-dark.png', '/favicon-dark.ico']) {
    expect((await send(rig, path)).status, path).toBe(404)
  }
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
  expect(rig.logged.join()).toContain('logo unavailable')
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
  const [plain, brotli, zipped] = [await get('identity'), await get('gzip, br'), await get('gzip')]
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
  expect(gunzipSync(zipped.body)).toEqual(plain.body)
  expect(new Set([plain, brotli, zipped].map(({ headers }) => headers.etag)).size).toBe(3)
  for (const { headers } of [plain, brotli, zipped]) expect(headers.vary).toBe('Accept-Encoding')
  expect((await send(rig, '/assets/app-abc123.js.br')).status).toBe(404)
})
