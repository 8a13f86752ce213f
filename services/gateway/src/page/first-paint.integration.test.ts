import { afterEach, expect, test } from 'vitest'
import { type RigOptions, send } from '../testing/gateway-rig.ts'
import { createPageRigs, identity } from '../testing/page-rig.ts'

const { startWithPages, closeAll } = createPageRigs()
afterEach(closeAll)

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
  expect(text).not.toContain('og:url')
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
  const plainAt = async (query: string) => plainOf((await send(rig, `/share/holiday${query}`)).text)
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
