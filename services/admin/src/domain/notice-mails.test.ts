import { defaultSettings, languages } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { noticeMail, noticeSettings } from './notice-mails.ts'
import type { Notice } from './notice-rules.ts'

const settings = { ...defaultSettings(), 'general.appUrl': 'https://files.example.org/' }
const notices: Notice[] = [
  { kind: 'user.created', id: '1', username: 'kim' },
  { kind: 'storage.almost_full', usedBytes: 99_900, totalBytes: 100_000 },
  { kind: 'job.failed', count: 1_234, latestAt: '2026-05-01T10:00:00.000Z' },
  { kind: 'release.published', version: '99.0.0', url: 'https://floe.example/99' },
]

describe.each(languages)('%s', (language) => {
  test.each(notices)('tells of $kind, where to look and where to switch it off', (notice) => {
    const { subject, text, html } = noticeMail(settings, { notices: [notice], language })
    expect(subject + text + html).not.toMatch(/\{\w+\}/)
    expect(html).toContain(`<html lang="${language}"`)
    const page = notice.kind === 'user.created' ? '/admin/users' : '/admin'
    expect(text.split('\n')).toContain(`https://files.example.org${page}`)
    const setting = noticeSettings[notice.kind]
    expect(text).toContain(`https://files.example.org/admin/config/notices#${setting}`)
    expect(html.match(/<td class="button"/g)).toHaveLength(1)
  })
})

test('storage that has some room left is not called full', () => {
  const [, full] = notices
  const mail = full && noticeMail(settings, { notices: [full], language: 'en' })
  expect(mail?.subject).toBe('Storage is 99% full')
})

test('a name that looks like an address of ours is no button', () => {
  const named: Notice = { kind: 'user.created', id: '1', username: 'https://evil.example' }
  const { html } = noticeMail(settings, { notices: [named], language: null })
  expect(html.match(/<td class="button"/g)).toHaveLength(1)
})
