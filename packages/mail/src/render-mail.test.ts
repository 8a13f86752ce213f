import { luminanceOf } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { renderMail } from './render-mail.ts'

const url = 'https://files.example.com/auth/resetPassword/t0ken'

const settings = {
  'general.appName': 'Floe',
  'general.appUrl': 'https://files.example.com/',
  'appearance.accentColor': '',
}

function render(message: string, values: Record<string, string> = { url }, subject = 'Subject') {
  return renderMail({ subject, message, action: 'Choose a password', values, settings })
}

function renderWithout(absent: string[], message: string) {
  const values = { creator: 'Kim', shareUrl: url, desc: 'No description', expires: 'never' }
  return renderMail({ subject: '', message, action: 'Open', values, absent, settings }).text
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

describe('a line about what is absent', () => {
  const template =
    '{creator} sent files:\n\n{shareUrl}\n\nNote: {desc}\n\nThe link expires {expires}.'

  test('is left out, with the empty line that it would leave', () => {
    const both = `Kim sent files:\n\n${url}`
    expect(renderWithout(['desc', 'expires'], template)).toBe(`${both}\n`)
    expect(renderWithout(['desc'], template)).toBe(`${both}\n\nThe link expires never.\n`)
    expect(renderWithout(['expires'], template)).toBe(`${both}\n\nNote: No description\n`)
  })

  test('takes neither its paragraph with it nor the gap between others', () => {
    expect(renderWithout(['desc'], 'one\nNote: {desc}\n\ntwo')).toBe('one\n\ntwo\n')
    expect(renderWithout(['desc'], 'one\n\n{desc}\ntwo')).toBe('one\n\ntwo\n')
    expect(renderWithout(['desc'], '{desc}\n\none\n\n\ntwo')).toBe('one\n\n\ntwo\n')
  })

  test('stays where it tells of something else too, as a link must not get lost', () => {
    expect(renderWithout(['desc', 'expires'], '{shareUrl}, {desc}, until {expires}')).toBe(
      `${url}, No description, until never\n`,
    )
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
    expect(html).not.toMatch(/<(?:b|img src=x|script)\b/)
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
    expect(html).toMatch(
      /<a href="https:\/\/a\.example\/\?x=1&amp;y=" [^>]*>https:\/\/a\.example\/\?x=1&amp;y=<\/a>/,
    )
    expect(render(`Open {url}, soon`).html).toMatch(
      new RegExp(`<a href="${url}" [^>]*>${url}</a>, soon`),
    )
  })

  test('makes an address on a line of its own a button with the plain address below', () => {
    const { html } = render('Open this:\n{url}\nwithin an hour')
    expect(html.match(new RegExp(`<a href="${url}"`, 'g'))).toHaveLength(2)
    expect(html).toContain('>Choose a password</a>')
    expect(html).toContain(`>${url}</a>`)
    expect(html).toContain('>within an hour</p>')
  })

  test('makes no button of an address that somebody wrote into a value', () => {
    const { html } = render('{desc}', { desc: 'https://evil.example/' })
    expect(html).toMatch(/<a href="https:\/\/evil\.example\/" [^>]*>https:\/\/evil\.example\/<\/a>/)
    expect(html).not.toContain('Choose a password')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'https://a b'])(
    'links no %s',
    (address) => {
      expect(render('{url}', { url: address }).html).not.toContain('Choose a password')
      expect(render('{url}', { url: address }).html).not.toMatch(
        /href="(?!https:\/\/(?:a|files\.example\.com)")/,
      )
    },
  )

  test('runs as the message does, and each of its blocks as its own words do', () => {
    const { html } = render('مرحبا\n\n{url}\n\n{desc}', { url, desc: 'Hello' })
    expect(html).toContain('<html dir="rtl">')
    expect(html).toMatch(/<p dir="auto"[^>]*>مرحبا<\/p>/)
    expect(html).toMatch(/<span dir="ltr"><a href/)
    expect(html).not.toContain('lang=')
    expect(render('Hello مرحبا').html).toContain('<html dir="ltr">')
  })

  test('names its language to those that read it aloud, if it is known', () => {
    const template = { subject: '', message: 'こんにちは', action: '', values: {}, settings }
    expect(renderMail({ ...template, language: 'ja' }).html).toContain('<html lang="ja" dir="ltr">')
  })

  test('names the place it comes from, by its logo and a link', () => {
    const { html } = render('Hello')
    expect(html).toContain('<img src="https://files.example.com/img/logo.png"')
    expect(html).toContain('>Floe</span>')
    expect(html).toMatch(/<a href="https:\/\/files\.example\.com" [^>]*>files\.example\.com<\/a>/)
    const unknown = { ...settings, 'general.appName': '<b>', 'general.appUrl': '' }
    const bare = renderMail({ subject: '', message: '', action: '', values: {}, settings: unknown })
    expect(bare.html).not.toMatch(/<img|<a |<b>/)
  })
})

describe('the accent color', () => {
  const message = 'See https://a.example now:\n\n{url}\n\n{desc}'
  const values = { url, desc: 'See https://b.example' }
  const htmlIn = (accentColor: string) =>
    renderMail({
      ...{ subject: '', message, action: 'Open', values },
      settings: { ...settings, 'appearance.accentColor': accentColor },
    }).html

  /** Light as it stands on the elements, dark as the style sheet has it. */
  function colourOf(html: string, name: string): { light: string; dark: string } {
    const property = name === 'link' ? 'color' : 'background-color'
    const color = `${property}:(#[0-9a-f]{6})`
    const light = new RegExp(`class="${name}[ "][^>]*?[;"]${color}`).exec(html)
    const dark = new RegExp(`\\.${name}{${color}!important}`).exec(html)
    return { light: light?.[1] ?? '', dark: dark?.[1] ?? '' }
  }

  function contrast(one: string, other: string): number {
    const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  test("without one is Floe's own", () => {
    const html = htmlIn('')
    expect(colourOf(html, 'button')).toEqual({ light: '#126689', dark: '#1b7ea6' })
    expect(colourOf(html, 'link')).toEqual({ light: '#126689', dark: '#7cc3de' })
  })

  test.each(['#ff0000', '#ffee00', '#00ff00', '#7c3aed', '#000000', '#ffffff', '#e0f7fa'])(
    '%s colors buttons and links, which can be read in light and dark',
    (accentColor) => {
      const html = htmlIn(accentColor)
      expect(html).not.toMatch(/#126689|#1b7ea6|#7cc3de|#ecf7fb/)
      const [button, link, note, card] = ['button', 'link', 'note', 'card'].map((name) =>
        colourOf(html, name),
      )
      const pairs = [
        ['#ffffff', button?.light],
        ['#ffffff', button?.dark],
        [link?.light, card?.light],
        [link?.dark, card?.dark],
        [link?.light, note?.light],
        [link?.dark, note?.dark],
        ['#16222b', note?.light],
      ] as const
      for (const [letters = '', ground = ''] of pairs) {
        const ratio = contrast(letters, ground)
        expect(ratio, `${letters} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
    },
  )
})
