import {
  type Boot,
  defaultSettings,
  type PageShell,
  type Settings,
  type ShareContents,
  sharePagePath,
  type SharePage,
} from '@floe/contracts'
import { expect, test } from 'vitest'
import { renderPreviewTags } from './preview-tags.ts'

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

const hostile = [
  '</noscript><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--',
  '${html`<b>`}',
  '$& $1 __FLOE_LANG__ <!--floe-boot-->',
]

const boot: Boot = {
  user: null,
  settings: { ...defaultSettings(), 'general.appName': 'A "B" <C>' },
  legal: { imprint: null, privacy: null },
  styles: { accent: null, custom: null },
  logo: 'v7',
  darkLogo: null,
  isSetUp: true,
  hasAccounts: true,
  language: 'en',
  colorScheme: 'auto',
  version: '1',
  accessTokenExpiresAt: null,
}
const base = 'https://floe.example'
const shellOf = (share: SharePage | null): PageShell => ({
  title: share?.preview?.name ?? share?.contents?.name ?? null,
  siteDescription: 'What the site is',
  shareSummary: share?.preview ? '1 file, 2 kB' : null,
  firstPaint: '',
})
const tagsOf = (share: SharePage | null, path: string, isBaseKnown = true) => {
  const shell = shellOf(share)
  const { text } = renderPreviewTags({ boot, share, shell, base, isBaseKnown, path })
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
    'og:description': '1 file, 2 kB',
    'og:url': `${base}/share/holiday`,
    description: '1 file, 2 kB',
    robots: 'noindex',
  })
})

test('tell of any other share what they tell of none, even to people who were let in', () => {
  const hidden = { ...closed, preview: null, contents }
  expect(tagsOf(hidden, '/share/holiday')).toEqual({
    ...nobodys,
    'og:url': base + sharePagePath('holiday'),
    description: 'What the site is',
    robots: 'noindex',
  })
})

test('describe the site on its other pages, whose addresses may be secret', () => {
  const described = {
    ...nobodys,
    'og:description': 'What the site is',
    description: 'What the site is',
  }
  expect(tagsOf(null, '/')).toEqual({ ...described, 'og:url': `${base}/` })
  expect(tagsOf(null, '/upload/capability')).toEqual({ ...described, robots: 'noindex' })
})

test('name no address that only the client has told', () => {
  expect(tagsOf(closed, '/share/holiday', false)).not.toHaveProperty(['og:url'])
  expect(tagsOf(null, '/', false)).not.toHaveProperty(['og:url'])
})

test('offer search engines the pages that every visitor sees, and no others', () => {
  const isListed = (path: string, changes: Partial<Settings> = {}) => {
    const settings = { ...boot.settings, ...changes }
    const { text } = renderPreviewTags({
      boot: { ...boot, settings },
      ...{ share: null, shell: shellOf(null), base, isBaseKnown: true, path },
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
    ...{ boot, share, shell: shellOf(share), base },
    ...{ isBaseKnown: true, path: '/share/holiday' },
  })
  expect(
    text.replaceAll(/<meta (?:property|name)="[^"<>]*" content="[^"<>]*" \/>/g, '').trim(),
  ).toBe('')
})
