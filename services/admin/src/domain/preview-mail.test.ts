import { mailTemplateNames } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { previewMail } from './preview-mail.ts'

const settings = { 'general.appName': 'Harbour', 'general.appUrl': 'https://files.example.org/' }

describe.each(mailTemplateNames)('the preview of %s', (template) => {
  it('fills in everything that its default names', () => {
    const { subject, text } = previewMail({ template, subject: '', message: '' }, settings)
    expect(subject).not.toBe('')
    expect(subject + text).not.toMatch(/\{\w+\}/)
    expect(text).toContain('https://files.example.org/')
  })

  it('leaves what it does not know as it was written', () => {
    const draft = { template, subject: '{nonsense}', message: '{nonsense}' }
    expect(previewMail(draft, settings)).toMatchObject({
      subject: '{nonsense}',
      text: '{nonsense}\n',
    })
  })
})

it('shows markup in a message as text', () => {
  const message = '<script>alert(1)</script> {creator}'
  const { html } = previewMail({ template: 'reverseShare', subject: '', message }, settings)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Kim')
})
