import { defaultSettings, mailTemplateNames } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { previewMail } from './preview-mail.ts'

const settings = {
  ...defaultSettings(),
  'general.appName': 'Harbour',
  'general.appUrl': 'https://files.example.org/',
}
const english = { settings, language: 'en' as const }

describe.each(mailTemplateNames)('the preview of %s', (template) => {
  it('fills in everything that its default names', () => {
    const { subject, text } = previewMail({ template, subject: '', message: '' }, english)
    expect(subject).not.toBe('')
    expect(subject + text).not.toMatch(/\{\w+\}/)
    expect(text).toContain('https://files.example.org/')
  })

  it('leaves what it does not know as it was written', () => {
    const draft = { template, subject: '{nonsense}', message: '{nonsense}' }
    expect(previewMail(draft, english)).toMatchObject({
      subject: '{nonsense}',
      text: '{nonsense}\n',
    })
  })
})

it('shows markup in a message as text', () => {
  const message = '<script>alert(1)</script> {creator}'
  const { html } = previewMail({ template: 'reverseShare', subject: '', message }, english)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Kim')
})

it('shows what was left as it came in the language of the administrator', () => {
  const draft = { template: 'invite', subject: 'Come aboard', message: '' } as const
  const { subject, html } = previewMail(draft, { settings, language: 'de' })
  expect(subject).toBe('Come aboard')
  expect(html).toContain('Guten Tag,')
  expect(html).toContain('>Passwort wählen</a>')
})

it('makes up values in the language of the administrator', () => {
  const draft = { template: 'shareRecipients', subject: '', message: '' } as const
  const { html } = previewMail(draft, { settings, language: 'de' })
  expect(html).toContain('Notiz: Die besten sind im ersten Ordner.')
  expect(html).toContain('Ablauf des Links: in 7 Tagen')
})

it('shows the logo of the page it is looked at on', () => {
  const { html } = previewMail({ template: 'invite', subject: '', message: '' }, english)
  expect(html).toContain('<img src="/img/logo.png"')
})
