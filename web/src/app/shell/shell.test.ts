import {
  type Boot,
  defaultSettings,
  type ErrorCode,
  type PageView,
  type Settings,
  type ShareContents,
  type SharePage,
} from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { renderShell } from './shell.tsx'

const boot: Boot = {
  user: null,
  settings: defaultSettings(),
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
const member = {
  ...{ id: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f11', username: 'ann', email: 'ann@example.com' },
  ...{ isAdmin: false, hasPassword: true, totpVerified: false },
}

const fileId = '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f15'
const contents: ShareContents = {
  name: 'Holiday',
  senderName: null,
  description: null,
  expiresAt: null,
  fileCount: 1,
  sizeBytes: 2_000,
  files: [{ id: fileId, name: 'a.txt', sizeBytes: 2_000 }],
  coming: null,
  isEncrypted: false,
  download: fileId,
}
const closed: SharePage = {
  id: 'holiday',
  preview: {
    name: 'Holiday',
    senderName: null,
    expiresAt: null,
    fileCount: 1,
    sizeBytes: 2_000,
    coming: null,
    isEncrypted: false,
    download: fileId,
  },
  contents: null,
  refusal: null,
  formRefusal: null,
  isCodeRequested: false,
}

const renderAt = (path: string, changes: Partial<Boot> = {}, share: PageView['share'] = null) =>
  renderShell({ path, boot: { ...boot, ...changes }, share })

const render = async (share: SharePage, changes: Partial<Boot> = {}) =>
  (await renderAt('/share/holiday', changes, share)).firstPaint

const open = (changed: Partial<ShareContents>) =>
  render({ ...closed, contents: { ...contents, ...changed } })

const refused = (code: ErrorCode | null, rest: Partial<SharePage> = {}) =>
  render({
    ...closed,
    preview: null,
    refusal: { code, message: 'Because <i>I</i> say so', isEncrypted: false },
    ...rest,
  })

const plainOf = (html: string) => /<noscript[^]*<\/noscript>/.exec(html)?.[0] ?? ''
const tagsOf = (html: string) => html.match(/<[^>]*>/g) ?? []
const mainOf = (html: string) => /<main[^]*<\/main>/.exec(html)?.[0] ?? ''

const hostile = [
  '</noscript><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--',
  '${html`<b>`}',
  '$& $1 __FLOE_LANG__ <!--floe-boot-->',
]

describe('a share for its recipients alone', () => {
  test('has a form that asks for a code and one that takes it, and says that one was asked for', async () => {
    const page = plainOf(await refused('share_recipient_required'))
    expect(page).toContain('action="/api/shares/holiday/codeByForm"')
    expect(page).toContain('name="code"')
    expect(page).not.toContain('name="password"')
    expect(page).not.toContain('role="status"')
    const asked = await refused('share_recipient_required', { isCodeRequested: true })
    expect(plainOf(asked)).toContain('role="status"')
  })

  test('asks for the password as well once the code is right', async () => {
    const page = await refused('share_recipient_required', {
      formRefusal: 'share_password_required',
    })
    expect(plainOf(page)).toContain('name="password"')
  })
})

describe('an encrypted share', () => {
  test.each([
    ['opens without a password', { preview: { ...contents, isEncrypted: true } }],
    [
      'has a password',
      {
        preview: null,
        refusal: { code: 'share_password_required' as const, message: '', isEncrypted: true },
      },
    ],
  ])('that %s is for scripts and the command line, and asks for nothing', async (_, known) => {
    const page = plainOf(await render({ ...closed, ...known }))
    expect(page).toContain('floe get LINK')
    expect(page).not.toContain('<form')
    expect(page).not.toContain('href')
  })
})

test('what names the files of an encrypted share is not counted as one of them', async () => {
  const preview = { ...contents, name: null, fileCount: 3, isEncrypted: true }
  const page = mainOf(await render({ ...closed, preview }))
  expect(page).toContain('2 files')
  expect(page).not.toContain('3 files')
})

describe('an open share', () => {
  test('has a link for each file and none for all of a single one', async () => {
    const page = await open({})
    expect(page).toContain(`href="/api/shares/holiday/files/${fileId}" download`)
    expect(page).toContain('<bdi>a.txt</bdi>')
    expect(page).not.toContain('/files/zip')
    expect(page).not.toContain('<form')
  })

  test('has a link for all of several, once there is something at its end', async () => {
    expect(await open({ fileCount: 2, download: 'zip' })).toContain(
      'href="/api/shares/holiday/files/zip"',
    )
    const preparing = await open({ fileCount: 2, download: null })
    expect(preparing).not.toContain('/files/zip')
    expect(preparing).toContain('The share is being prepared')
  })

  test('lists what has arrived of files that are still uploaded, and says what has not', async () => {
    const coming = { fileCount: 2, sizeBytes: 3_000 }
    const page = await open({ coming, download: null })
    expect(page).toContain(`href="/api/shares/holiday/files/${fileId}" download`)
    expect(page).not.toContain('/files/zip')
    expect(plainOf(page)).toContain('2 more files are on their way')
    expect(mainOf(page)).toMatch(/3 files, 5\skB/)
    const empty = await open({ coming, download: null, files: [], fileCount: 0, sizeBytes: 0 })
    expect(plainOf(empty)).not.toContain('<ul')
  })

  test('tells how many files are not listed, and where they are', async () => {
    const page = await open({ fileCount: 31 })
    expect(page).toContain('href="/share/holiday?show=all"')
    expect(page).toContain('Show 30 more files')
    expect(await open({})).not.toContain('?show=all')
  })

  test.each(hostile)('shows %j as text, wherever it stands', async (text) => {
    const page = (name: string) =>
      open({ name, description: name, files: [{ id: fileId, name, sizeBytes: 1 }] })
    const shown = await page(text)
    expect(tagsOf(shown)).toEqual(tagsOf(await page('harmless')))
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const readable = shown.replaceAll('&gt;', '>').replaceAll('&quot;', '"')
    expect(readable.replaceAll('&#x27;', "'").split(escaped)).toHaveLength(4)
  })

  test('shows no name that turns around what stands beside it', async () => {
    const files = [{ id: fileId, name: 'invoice\u202efdp.exe', sizeBytes: 1 }]
    expect(await open({ files, name: 'a\u2067b' })).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })
})

describe('a closed share', () => {
  test('tells what it is, takes a press and leads to all of it, without a name of its files', async () => {
    const page = await render(closed)
    expect(page).toContain('<bdi>Holiday</bdi>')
    expect(page).toContain('1 file, 2\u00a0kB')
    expect(page).toContain('<form action="/api/shares/holiday/open" method="post">')
    expect(page).toMatch(
      new RegExp(`href="/api/shares/holiday/files/${fileId}" rel="nofollow" download="">Download<`),
    )
    expect(page).not.toContain('a.txt')
  })

  test('of several files leads to the archive, once there is one', async () => {
    const pageOf = (download: 'zip' | null) =>
      render({ ...closed, preview: { ...contents, fileCount: 2, download } })
    expect(await pageOf('zip')).toMatch(
      /href="\/api\/shares\/holiday\/files\/zip"[^>]*>Download all</,
    )
    expect(await pageOf(null)).not.toContain('/files/')
    expect(await pageOf(null)).toContain('The share is being prepared')
  })

  test('with a password asks for it and says what was wrong with the last one', async () => {
    const page = await refused('share_password_required')
    expect(page).toMatch(/<input[^>]*type="password"[^>]*name="password"/)
    expect(page).not.toContain('role="alert"')
    const again = await refused('share_password_required', { formRefusal: 'wrong_password' })
    expect(again).toMatch(/role="alert">Invalid password</)
    const later = await refused('share_password_required', { formRefusal: 'too_many_requests' })
    expect(later).toMatch(/role="alert">Too many/)
  })

  test.each([
    ['share_max_views_exceeded', 'Visitor limit exceeded'],
    ['share_not_found', 'Share not found'],
    ['private_share', 'Private share'],
    ['share_removed', 'Share removed'],
    [null, 'An unknown error occurred'],
    ['validation_failed', 'An unknown error occurred'],
  ] as const)('that is refused with %s says so and has no form', async (code, title) => {
    const page = await refused(code)
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).not.toContain('<form')
    if (code === 'share_removed') expect(page).toContain('Because &lt;i&gt;I&lt;/i&gt; say so')
  })

  test('says in words when it ends, and tells the date with its zone', async () => {
    const preview = { ...contents, expiresAt: '2096-05-01T12:30:00.000Z' }
    expect(await render({ ...closed, preview })).toMatch(
      /title="May 1, 2096 at 12:30 PM UTC">Expires in \d+ years</,
    )
  })

  test('without a name is called by what is in it once it is open, and never by its id', async () => {
    const unnamed = { ...contents, name: null, senderName: 'ann' }
    const titleOf = async (share: SharePage) => (await renderAt('/share/holiday', {}, share)).title
    expect(await titleOf({ ...closed, preview: unnamed })).toBe('1 file from ann')
    expect(await titleOf({ ...closed, contents: unnamed })).toBe('a.txt')
    expect(await titleOf({ ...closed, contents: { ...unnamed, fileCount: 40 } })).toBe(
      '40 files from ann',
    )
    const page = await render({ ...closed, contents: unnamed })
    expect(page).toContain('<bdi>Sent by ann</bdi>')
  })
})

test('what only people without scripts need stands in one noscript, below the heading', async () => {
  const page = await render(closed)
  expect(page.match(/<noscript/g)).toHaveLength(1)
  expect(page.indexOf('<h1')).toBeLessThan(page.indexOf('<noscript'))
  expect(plainOf(page)).toContain('<form')
})

test('a page shows its heading to people who will see it, and its bar to everybody', async () => {
  const headingAt = async (path: string, changes: Partial<Boot> = {}) => {
    const { firstPaint } = await renderAt(path, changes)
    expect(firstPaint).toMatch(/^<header /)
    return /<h1[^>]*>(?:<bdi>)?([^<]*)/.exec(mainOf(firstPaint))?.[1] ?? null
  }
  const withSettings = (changes: Partial<Settings>) => ({
    settings: { ...boot.settings, ...changes },
  })
  expect(await headingAt('/')).toMatch(/^Send files of any size/)
  expect(await headingAt('/', withSettings({ 'general.showHomePage': false }))).toBeNull()
  expect(await headingAt('/auth/signIn')).toBe('Welcome back')
  expect(await headingAt('/auth/signUp', withSettings({ 'share.allowRegistration': false }))).toBe(
    null,
  )
  expect(await headingAt('/upload')).toBeNull()
  expect(
    await headingAt('/upload', withSettings({ 'share.allowUnauthenticatedShares': true })),
  ).toBe('Upload')
  expect(await headingAt('/upload', { user: member })).toBe('Upload')
  expect(await headingAt('/', { user: member })).toBeNull()
  // A session that can only be renewed may still be one.
  const ended = { accessTokenExpiresAt: '2020-01-01T00:00:00.000Z' }
  expect(await headingAt('/auth/signIn', ended)).toBeNull()
  for (const user of [null, member]) {
    expect(await headingAt('/nope', { user })).toBe('Page not found')
  }
})

describe('a legal page', () => {
  const draw = async (legalText?: string) => {
    const view = {
      path: '/imprint',
      boot,
      share: null,
      ...(legalText !== undefined && { legalText }),
    }
    const { title, firstPaint } = await renderShell(view)
    return { title, main: mainOf(firstPaint) }
  }

  test('shows its Markdown under the title of the page, or under its own', async () => {
    const { title, main } = await draw('Ann *Example*\n\n- [Mail](mailto:ann@example.org)')
    expect(title).toBe('Imprint')
    expect(main).toMatch(/<h1[^>]*>Imprint</)
    expect(main).toContain('Ann <em>Example</em>')
    expect(main).toContain('<a href="mailto:ann@example.org">Mail</a>')
    expect((await draw('# About us')).main.match(/<h1[^]*?<\/h1>/g)).toEqual(['<h1>About us</h1>'])
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '![x](https://elsewhere.example/pixel.png)',
  ])('makes no markup of %j', async (text) => {
    const { main } = await draw(text)
    expect(main).not.toMatch(/<(?:script|img)|javascript:|elsewhere/)
  })

  test('is not found while nothing was written', async () => {
    expect(await draw()).toMatchObject({ title: 'Page not found' })
  })
})

test('people without scripts find the imprint and the privacy policy at the end of a page', async () => {
  const legal = { imprint: '/imprint', privacy: 'https://example.org/privacy' }
  const plain = plainOf((await renderAt('/auth/signIn', { legal })).firstPaint)
  expect(plain).toContain('href="/imprint"')
  expect(plain).toContain('href="https://example.org/privacy"')
  expect(plainOf((await renderAt('/auth/signIn')).firstPaint)).toBe('')
})

test('a page without a bar begins empty', async () => {
  expect((await renderAt('/admin/config/general')).firstPaint).toBe('')
})

test('no page has a form, a script or a style element before its scripts run', async () => {
  for (const path of ['/', '/auth/signIn', '/auth/signUp', '/upload', '/nope']) {
    const { firstPaint } = await renderAt(path, { user: path === '/upload' ? member : null })
    expect(firstPaint, path).not.toMatch(/<(?:form|input|script|style|title|template)|<!--/)
  }
})

test('the title is that of the share or the page, and of none that the visitor will not see', async () => {
  const titleAt = async (...at: Parameters<typeof renderAt>) => (await renderAt(...at)).title
  expect(await titleAt('/share/holiday', {}, closed)).toBe('Holiday')
  expect(await titleAt('/share/holiday', {}, { ...closed, preview: null })).toBeNull()
  expect(await titleAt('/auth/signIn')).toBe('Welcome back')
  expect(await titleAt('/account')).toBeNull()
  expect(await titleAt('/account', { user: member })).toBe('My account')
  expect(await titleAt('/nope')).toBe('Page not found')
  expect(await titleAt('/nope', { language: 'de' })).toBe('Seite nicht gefunden')
})

test('a logo that was set stands in for the one of the product', async () => {
  const { firstPaint } = await renderAt('/', { logo: 'v7' })
  expect(firstPaint.match(/<img/g)).toHaveLength(2)
  expect(firstPaint).toContain('/img/logo.png?v=v7')
  expect((await renderAt('/')).firstPaint.match(/<img/g)).toHaveLength(1)
})

test('a logo for dark pages is drawn where the visitor wants them, and asked for alone', async () => {
  const markupFor = async (colorScheme: Boot['colorScheme'], darkLogo: string | null = 'd7') =>
    (await renderAt('/auth/signIn', { logo: 'v7', darkLogo, colorScheme })).firstPaint
  const light = await markupFor('light')
  expect(light).toContain('/img/logo.png?v=v7')
  expect(light).not.toContain('-dark.png')
  const dark = await markupFor('dark')
  expect(dark).toContain('/img/logo-dark.png?v=d7')
  expect(dark).not.toContain('v=v7')
  const auto = await markupFor('auto')
  expect(auto).toMatch(
    /<source media="\(prefers-color-scheme: dark\)" srcSet="\/img\/icons\/icon-48x48-dark\.png\?v=d7 48w/,
  )
  expect(auto).toContain('<img src="/img/logo.png?v=v7"')
  for (const scheme of ['auto', 'dark'] as const) {
    expect(await markupFor(scheme, null)).not.toMatch(/-dark\.png|<source/)
  }
})
