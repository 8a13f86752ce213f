import { type Boot, defaultSettings } from '@floe/contracts'
import { expect, test } from 'vitest'
import { publicSettings, tokenExpiry } from './boot.ts'
import { html, nothing } from './markup.ts'
import { renderPage, scriptJson } from './render-page.ts'

const template =
  '<html lang="__FLOE_LANG__" dir="__FLOE_DIR__" data-scheme="__FLOE_COLOR_SCHEME__">' +
  '<link rel="icon" href="/favicon.ico?v=__FLOE_LOGO__" />' +
  '<head><title>__FLOE_TITLE__</title><!--floe-boot--><!--floe-meta--><!--floe-files--></head><!--floe-styles--><!--floe-first-paint--></html>'

const boot: Boot = {
  user: null,
  settings: publicSettings(defaultSettings()),
  legal: { imprint: null, privacy: null },
  styles: { accent: null, custom: null },
  logo: null,
  darkLogo: null,
  isSetUp: true,
  hasAccounts: true,
  language: 'en',
  colorScheme: 'auto',
  version: '1',
  accessTokenExpiresAt: null,
}

const plain = { title: null, meta: nothing, links: nothing, styles: nothing, firstPaint: '' }

test('fills every placeholder', () => {
  const html = renderPage(template, { ...boot, language: 'ar', colorScheme: 'dark' }, plain)
  expect(html).toContain('<html lang="ar" dir="rtl" data-scheme="dark">')
  expect(html).toContain('<title>Floe</title><script id="floe-boot" type="application/json">{')
  expect(html).not.toMatch(/__FLOE_|<!--/)
})

test.each([
  '</script><script>alert(1)</script>',
  '<!--<script>',
  ']]>',
  'line\u2028paragraph\u2029',
  '$& $1 $` __FLOE_LANG__ <!--floe-boot-->',
  '"quotes" & \'others\'',
])('carries %j as data only', (name) => {
  const html = renderPage(
    template,
    { ...boot, settings: { ...boot.settings, 'general.appName': name } },
    plain,
  )
  const json =
    /<script id="floe-boot" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(json).not.toMatch(/[<>\u2028\u2029]/)
  expect((JSON.parse(json) as Boot).settings['general.appName']).toBe(name)
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(/<title>([^<]*)<\/title>/.exec(html)).not.toBeNull()
})

test('says ahead of its scripts what it is given', () => {
  const meta = html`<meta name="x" />`
  const firstPaint = '<p>$& __FLOE_LANG__</p>'
  const page = renderPage(template, boot, {
    title: 'A & B',
    meta,
    links: nothing,
    styles: nothing,
    firstPaint,
  })
  expect(page).toContain('<title>A &amp; B – Floe</title>')
  expect(page).toContain('<meta name="x" /></head><p>$& __FLOE_LANG__</p></html>')
})

test('escapes what could end a script element', () => {
  expect(scriptJson({ a: '</script>' })).toBe('{"a":"\\u003c/script\\u003e"}')
})

test('a setting that is not public stays out of the page', () => {
  const settings = { ...defaultSettings(), 'smtp.password': 'secret' }
  const sent = publicSettings(settings)
  expect(sent).toHaveProperty(['general.appName'])
  expect(sent).not.toHaveProperty(['share.zipCompressionLevel'])
  expect(JSON.stringify(sent)).not.toContain('secret')
})

test('reads the expiry of a token and survives one that is none', () => {
  const payload = Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url')
  expect(tokenExpiry(`h.${payload}.s`)).toBe('2027-01-15T08:00:00.000Z')
  for (const bad of [
    undefined,
    '',
    'x',
    'a.b.c',
    'a..c',
    `h.${Buffer.from('null').toString('base64url')}.s`,
  ]) {
    expect(tokenExpiry(bad)).toBeNull()
  }
})
