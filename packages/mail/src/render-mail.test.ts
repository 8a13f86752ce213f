import { describe, expect, test } from 'vitest'

import { renderMail } from './render-mail.ts'

const url = 'https://files.example.com/auth/resetPassword/t0ken'

function render(message: string, values: Record<string, string> = { url }, subject = 'Subject') {
  return renderMail({ subject, message, values, appName: 'Floe' })
}

describe('the text', () => {
  test('has every placeholder replaced, wherever and however often it stands', () => {
    expect(render('{url} or {url}, {email}', { url: 'u', email: 'e' }).text).toBe('u or u, e\n')
  })

  test('keeps placeholders that nobody knows, those every object has too', () => {
    const template = '{nope} {constructor} {__proto__} {not one} {'
    expect(render(template).text).toBe(`${template}\n`)
  })

  test('does not read values again', () => {
    expect(render('{a}{b}', { a: '{b}', b: '$&{a}\\n' }).text).toBe('{b}$&{a}\\n\n')
  })

  test('breaks where a backslash and an n were typed', () => {
    expect(render('Hello,\\n\\nthere').text).toBe('Hello,\n\nthere\n')
  })

  test('knows every line break, and drops what cannot be printed', () => {
    expect(render('a\r\nb\rc{d}', { d: '\r\nd\u0007\u009b31m\u0000' }).text).toBe('a\nb\nc\nd31m\n')
  })
})

describe('the subject', () => {
  test('stays one line whatever is in it', () => {
    const values = { name: 'Ann\r\nBcc: everyone@example.com\u0000\u2028x' }
    const { subject } = render('', values, 'From {name}\\nand\nmore')
    expect(subject).toBe('From Ann Bcc: everyone@example.com x and more')
  })

  test('is not broken where a value has a backslash and an n', () => {
    expect(render('', { path: 'C:\\new' }, '{path}').subject).toBe('C:\\new')
  })
})

describe('the page', () => {
  test('shows markup of template and values as text', () => {
    const values = { name: `<img src=x onerror="alert('1')">&amp;` }
    const { html } = render('<b>{name}</b>', values, '</title><script>')
    expect(html).not.toMatch(/<(?:b|img|script)\b/)
    expect(html).toContain(
      '&lt;b&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;&lt;/b&gt;',
    )
    expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>')
  })

  test('makes paragraphs of lines between empty ones', () => {
    const { html } = render('one\ntwo\n\n\nthree')
    expect(html).toContain('>one<br>\ntwo</p>')
    expect(html).toContain('>three</p>')
  })

  test('makes addresses within a sentence links, without the full stop', () => {
    const { html } = render('See https://a.example/?x=1&y="2". Bye.')
    expect(html).toContain(
      '<a href="https://a.example/?x=1&amp;y=">https://a.example/?x=1&amp;y=</a>',
    )
    expect(render(`Open {url}, soon`).html).toContain(`<a href="${url}">${url}</a>, soon`)
  })

  test('makes an address on a line of its own a button with the plain address below', () => {
    const { html } = render('Open this:\n{url}\nwithin an hour')
    expect(html.match(new RegExp(`<a href="${url}"`, 'g'))).toHaveLength(2)
    expect(html).toContain('>files.example.com</a>')
    expect(html).toContain(`>${url}</a>`)
    expect(html).toContain('>within an hour</p>')
  })

  test('makes no button of an address that somebody wrote into a value', () => {
    const { html } = render('{desc}', { desc: 'https://evil.example/' })
    expect(html).toContain('<a href="https://evil.example/">https://evil.example/</a>')
    expect(html).not.toContain('border-radius')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://a b'])(
    'links no %s',
    (address) => {
      expect(render('{url}', { url: address }).html).not.toContain('border-radius')
      expect(render('{url}', { url: address }).html).not.toMatch(/href="(?!https:\/\/a")/)
    },
  )

  test('takes its colours from the reader and its direction from the words', () => {
    const { html } = render('مرحبا\n\n{url}')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('name="viewport"')
    expect(html.match(/<p /g)).toHaveLength(html.match(/<p dir="auto"/g)?.length ?? 0)
    expect(html).not.toContain('lang=')
    const colours = html.match(/(?<!background)(?<!-)color:#/g)
    expect(colours).toHaveLength(1)
  })
})
