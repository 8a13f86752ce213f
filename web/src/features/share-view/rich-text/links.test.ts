import { describe, expect, test } from 'vitest'
import { outsideLink } from '../../../shared/markdown/outside-link.ts'
import { fileReferredTo } from './links.ts'

const share = ['README.md', 'docs/guide.md', 'docs/pictures/Übersicht 1.png', 'logo.png'].map(
  (name) => ({ id: name, name, size: '1' }),
)

test.each([
  ['https://example.org/a', 'https://example.org/a'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
])('%s may be followed', (href, expected) => {
  expect(outsideLink(href)).toBe(expected)
})

test.each([
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  '/admin',
  '//example.org',
  '#part',
])('%s leads nowhere', (href) => {
  expect(outsideLink(href)).toBeNull()
})

describe('a reference in docs/guide.md', () => {
  test.each([
    ['pictures/Übersicht 1.png', 'docs/pictures/Übersicht 1.png'],
    ['./pictures/%C3%9Cbersicht%201.png', 'docs/pictures/Übersicht 1.png'],
    ['../logo.png', 'logo.png'],
    ['../../../logo.png', 'logo.png'],
    ['/README.md', 'README.md'],
  ])('%s means %s', (reference, expected) => {
    expect(fileReferredTo(share, 'docs/guide.md', reference)?.name).toBe(expected)
  })

  test.each(['logo.png', 'https://root/logo.png', '//elsewhere/logo.png', '%', 'share:logo.png'])(
    '%s means no file',
    (reference) => {
      expect(fileReferredTo(share, 'docs/guide.md', reference)).toBeNull()
    },
  )
})
