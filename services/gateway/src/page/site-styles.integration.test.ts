import { afterEach, expect, test } from 'vitest'
import { send } from '../testing/gateway-rig.ts'
import { bootOf, createPageRigs } from '../testing/page-rig.ts'

const { startWithPages, closeAll } = createPageRigs()

afterEach(closeAll)

const settings = {
  'appearance.accentColor': '#7c3aed',
  'appearance.customCss': 'h1 { color: </style> }',
  'appearance.colorScheme': 'dark',
} as const

const linksIn = (text: string) =>
  Array.from(
    text.matchAll(/<link rel="stylesheet" href="(\/site\/[^"]*)" \/>/g),
    ([, href = '']) => href,
  )

test('a page names the style sheets of the site, which may be kept under these addresses', async () => {
  const rig = await startWithPages({ settings })
  const page = await send(rig, '/auth/signIn')
  const [accent = '', custom = '', ...others] = linksIn(page.text)
  expect(others).toEqual([])
  expect(page.text.indexOf('/site/accent.css')).toBeGreaterThan(page.text.indexOf('<body'))
  expect(page.text).not.toContain('</style>')
  const styles = await Promise.all([send(rig, accent), send(rig, custom)])
  expect(styles.map(({ text }) => text)).toEqual([
    ':root{--accent:#7c3aed}',
    'h1 { color: </style> }',
  ])
  for (const { status, headers } of styles) {
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  const again = await send(rig, custom, { headers: { 'If-None-Match': styles[1]?.headers.etag } })
  expect(again.status).toBe(304)
})

test('a style sheet is not kept under an address of other settings', async () => {
  const rig = await startWithPages({ settings })
  for (const path of ['/site/custom.css', '/site/custom.css?v=0123456789abcdef']) {
    expect((await send(rig, path)).headers['cache-control']).toBe('no-cache')
  }
})

test('the configuration goes without what administrators have written', async () => {
  const rig = await startWithPages({ settings })
  const links = linksIn((await send(rig, '/admin/config/appearance')).text)
  expect(links.map((href) => href.split('?')[0])).toEqual(['/site/accent.css'])
})

test('a site without a look of its own names no style sheet', async () => {
  const rig = await startWithPages()
  expect(linksIn((await send(rig, '/')).text)).toEqual([])
  const style = await send(rig, '/site/accent.css')
  expect([style.status, style.text]).toEqual([200, ''])
})

test('people get the color scheme of the site until they choose one', async () => {
  const rig = await startWithPages({ settings })
  const schemeFor = async (cookie?: string) => {
    const { text } = await send(rig, '/', cookie ? { headers: { Cookie: cookie } } : {})
    expect(text).toContain(`data-mantine-color-scheme="${String(bootOf(text)['colorScheme'])}"`)
    return bootOf(text)['colorScheme']
  }
  expect(await schemeFor()).toBe('dark')
  expect(await schemeFor('mantine-color-scheme=light')).toBe('light')
  expect(await schemeFor('mantine-color-scheme=auto')).toBe('auto')
})
