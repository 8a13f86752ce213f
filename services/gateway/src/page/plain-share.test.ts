import {
  defaultSettings,
  type Settings,
  type ErrorCode,
  type ShareContents,
  sharePagePath,
} from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { pageClasses, pageTexts } from '../testing/gateway-rig.ts'
import type { Boot } from './boot.ts'
import { renderPlainShare, renderShareHead } from './plain-share.ts'
import { renderPreviewTags } from './preview-tags.ts'
import type { SharePage } from './share-page.ts'
import { createWords } from './words.ts'

const words = createWords(pageTexts(), 'en')

const fileId = '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f15'
const contents: ShareContents = {
  name: 'Holiday',
  description: null,
  expiresAt: null,
  fileCount: 1,
  sizeBytes: 2_000,
  files: [{ id: fileId, name: 'a.txt', sizeBytes: 2_000 }],
  download: fileId,
}
const closed: SharePage = {
  id: 'holiday',
  preview: { name: 'Holiday', expiresAt: null, fileCount: 1, sizeBytes: 2_000, download: fileId },
  contents: null,
  refusal: null,
  formRefusal: null,
}

const render = (page: SharePage) =>
  renderShareHead(page, words, pageClasses()).text + renderPlainShare(page, words).text

const open = (changed: Partial<ShareContents>) =>
  render({ ...closed, contents: { ...contents, ...changed } })

const refused = (code: ErrorCode | null, rest: Partial<SharePage> = {}) =>
  render({
    ...closed,
    preview: null,
    refusal: { code, message: 'Because <i>I</i> say so' },
    ...rest,
  })

const hostile = [
  '</noscript><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--',
  '${html`<b>`}',
  '$& $1 __FLOE_LANG__ <!--floe-boot-->',
]

describe('an open share', () => {
  test('has a link for each file and none for all of a single one', () => {
    const page = open({})
    expect(page).toContain(`href="/api/shares/holiday/files/${fileId}" download`)
    expect(page).toContain('<bdi>a.txt</bdi>')
    expect(page).not.toContain('/files/zip')
    expect(page).not.toContain('<form')
  })

  test('has a link for all of several, once there is something at its end', () => {
    expect(open({ fileCount: 2, download: 'zip' })).toContain(
      'href="/api/shares/holiday/files/zip"',
    )
    const preparing = open({ fileCount: 2, download: null })
    expect(preparing).not.toContain('/files/zip')
    expect(preparing).toContain('share.preparing')
  })

  test('tells how many files are not listed, and where they are', () => {
    const page = open({ fileCount: 31 })
    expect(page).toContain('href="/share/holiday?show=all"')
    expect(page).toContain('share.folders.more 30')
    expect(open({})).not.toContain('?show=all')
  })

  test.each(hostile)('shows %j as text, wherever it stands', (text) => {
    const files = [{ id: fileId, name: text, sizeBytes: 1 }]
    const page = open({ name: text, description: text, files })
    const tags = (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/\s+/g, ' '))
    const ours = /^<\/?(?:div|h1|bdi|p|a|ul|li|span)(?: (?:class|href)="[^"<>]*"| download)* ?>$/
    expect(tags.filter((tag) => !ours.test(tag))).toEqual([])
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    expect(
      page.replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
    ).toContain(escaped)
  })

  test('shows no name that turns around what stands beside it', () => {
    const files = [{ id: fileId, name: 'invoice\u202efdp.exe', sizeBytes: 1 }]
    expect(open({ files, name: 'a\u2067b' })).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })
})

describe('a closed share', () => {
  test('tells what it is, takes a press and leads to all of it, without a name of its files', () => {
    const page = render(closed)
    expect(page).toContain('<bdi>Holiday</bdi>')
    expect(page).toContain(`share.summary 1 2\u00a0kB`)
    expect(page).toContain('<form method="post" action="/api/shares/holiday/open">')
    expect(page).toMatch(
      new RegExp(`href="/api/shares/holiday/files/${fileId}" rel="nofollow" download>[^<]*view`),
    )
    expect(page).not.toContain('a.txt')
  })

  test('of several files leads to the archive, once there is one', () => {
    const pageOf = (download: 'zip' | null) =>
      render({ ...closed, preview: { ...contents, fileCount: 2, download } })
    expect(pageOf('zip')).toMatch(
      /href="\/api\/shares\/holiday\/files\/zip"[^>]*>share.downloadAll</,
    )
    expect(pageOf(null)).not.toContain('/files/')
    expect(pageOf(null)).toContain('share.preparing')
  })

  test('with a password asks for it and says what was wrong with the last one', () => {
    const page = refused('share_password_required')
    expect(page).toMatch(/<input[^>]*type="password"[^>]*name="password"/)
    expect(page).not.toContain('role="alert"')
    const again = refused('share_password_required', { formRefusal: 'wrong_password' })
    expect(again).toMatch(/role="alert">share\.password\.invalid</)
    const later = refused('share_password_required', { formRefusal: 'too_many_requests' })
    expect(later).toMatch(/role="alert">errors\.tooManyRequests</)
  })

  test.each([
    ['share_max_views_exceeded', 'views'],
    ['share_not_found', 'notFound'],
    ['private_share', 'private'],
    ['share_removed', 'removed'],
    [null, 'unknown'],
    ['validation_failed', 'unknown'],
  ] as const)('that is refused with %s says so and has no form', (code, title) => {
    const page = refused(code)
    expect(page).toContain(`<h1>share.deadEnd.${title}.title</h1>`)
    expect(page).not.toContain('<form')
    if (code === 'share_removed') expect(page).toContain('Because &lt;i&gt;I&lt;/i&gt; say so')
  })
})

describe('the tags for link previews', () => {
  const boot: Boot = {
    user: null,
    settings: { ...defaultSettings(), 'general.appName': 'A "B" <C>' },
    logo: 'v7',
    isSetUp: true,
    language: 'en',
    colorScheme: 'auto',
    version: '1',
    accessTokenExpiresAt: null,
  }
  const base = 'https://floe.example'
  const tagsOf = (share: SharePage | null, path: string, isBaseKnown = true) => {
    const { text } = renderPreviewTags({ boot, share, words, base, isBaseKnown, path })
    const found = text.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)" \/>/g)
    return Object.fromEntries([...found].map(([, name, content]) => [name ?? '', content ?? '']))
  }
  const site = {
    'og:site_name': 'A &quot;B&quot; &lt;C&gt;',
    'og:type': 'website',
    'og:image': `${base}/img/logo.png?v=v7`,
    'twitter:card': 'summary',
  }
  const nobodys = { ...site, 'og:title': site['og:site_name'] }

  test('tell name, count and size of a share that anybody may open', () => {
    expect(tagsOf(closed, '/share/holiday')).toEqual({
      ...site,
      'og:title': 'Holiday',
      'og:description': 'share.summary 1 2\u00a0kB',
      'og:url': `${base}/share/holiday`,
      description: 'share.summary 1 2\u00a0kB',
      robots: 'noindex',
    })
  })

  test('tell of any other share what they tell of none, even to who was let in', () => {
    const hidden = { ...closed, preview: null, contents }
    expect(tagsOf(hidden, '/share/holiday')).toEqual({
      ...nobodys,
      'og:url': base + sharePagePath('holiday'),
      description: 'home.description',
      robots: 'noindex',
    })
  })

  test('describe the site on its other pages, whose addresses may be secret', () => {
    const described = {
      ...nobodys,
      'og:description': 'home.description',
      description: 'home.description',
    }
    expect(tagsOf(null, '/')).toEqual({ ...described, 'og:url': `${base}/` })
    expect(tagsOf(null, '/upload/capability')).toEqual({ ...described, robots: 'noindex' })
  })

  test('name no address that only whoever asks has told', () => {
    expect(tagsOf(closed, '/share/holiday', false)).not.toHaveProperty(['og:url'])
    expect(tagsOf(null, '/', false)).not.toHaveProperty(['og:url'])
  })

  test('offer search engines the pages that strangers see, and no others', () => {
    const isListed = (path: string, changes: Partial<Settings> = {}) => {
      const settings = { ...boot.settings, ...changes }
      const { text } = renderPreviewTags({
        boot: { ...boot, settings },
        ...{ share: null, words, base, isBaseKnown: true, path },
      })
      const isOffered = text.includes(`<link rel="canonical" href="${base}${path}" />`)
      expect(text.includes('noindex'), path).toBe(!isOffered)
      return isOffered
    }
    expect(isListed('/')).toBe(true)
    expect(isListed('/', { 'general.showHomePage': false })).toBe(false)
    expect(isListed('/auth/signIn')).toBe(true)
    expect(isListed('/auth/signUp', { 'share.allowRegistration': true })).toBe(true)
    expect(isListed('/auth/signUp', { 'share.allowRegistration': false })).toBe(false)
    expect(isListed('/upload', { 'share.allowUnauthenticatedShares': true })).toBe(true)
    expect(isListed('/upload', { 'share.allowUnauthenticatedShares': false })).toBe(false)
    for (const path of ['/upload/capability', '/auth/resetPassword/secret', '/nope', '/admin']) {
      expect(isListed(path), path).toBe(false)
    }
  })

  test.each(hostile)('carry %j as an attribute', (name) => {
    const share = { ...closed, preview: { ...contents, name } }
    const { text } = renderPreviewTags({
      ...{ boot, share, words, base },
      ...{ isBaseKnown: true, path: '/share/holiday' },
    })
    expect(
      text.replaceAll(/<meta (?:property|name)="[^"<>]*" content="[^"<>]*" \/>/g, '').trim(),
    ).toBe('')
  })
})

describe('words', () => {
  const arabic = createWords(
    { ...pageTexts(), ar: { 'share.summary_two': 'ملفان، {size}', 'share.title': '{gone}' } },
    'ar',
  )

  test('choose the form of the language and fill it in', () => {
    expect(arabic.say('share.summary', { count: 2, size: '1 B' })).toBe('ملفان، \u20681 B\u2069')
  })

  test('tell a date with its zone', () => {
    expect(words.date('2026-05-01T12:30:00.000Z')).toBe('May 1, 2026 at 12:30 PM UTC')
  })
})
