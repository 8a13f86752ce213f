import type { Language, Settings } from '@floe/contracts'
import { type MailLine, renderHtml } from './render-html.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

export interface MailTemplate {
  subject: string
  /** As the administrator wrote it: `{name}` is a placeholder, a typed `\n` breaks the line. */
  message: string
  /** What the button of `{url}` or `{shareUrl}` on a line of its own says. */
  action: string
  /** Of the message, if it is known. */
  language?: Language
  values: Readonly<Record<string, string>>
  /** Of the values, those that only say that there is none. A line about nothing else is left out. */
  absent?: readonly string[]
  settings: Pick<Settings, 'general.appName' | 'general.appUrl' | 'appearance.accentColor'>
  /** Where the logo is, if not at the address of the settings. */
  logoUrl?: string
}

/**
 * Fills a template in. Values are text and never read again: neither placeholders nor line breaks
 * nor markup in them mean anything. Unknown placeholders stay as they were written.
 */
export function renderMail(template: MailTemplate): RenderedMail {
  const { subject, message, action, language, values, absent = [], settings } = template
  const written = leaveOut(breakLines(message), new Set(absent))
  const lines = written.flatMap((line) => fillLine(line, values))
  const title = toOneLine(fillIn(breakLines(subject).join(' '), values))
  const url = settings['general.appUrl'].replace(/\/+$/, '')
  const app = {
    name: toOneLine(settings['general.appName']),
    url,
    logoUrl: template.logoUrl ?? (URL.canParse(url) ? `${url}/img/logo.png` : undefined),
  }
  return {
    subject: title,
    text: `${lines
      .map(({ text }) => text)
      .join('\n')
      .trimEnd()}\n`,
    html: renderHtml({
      title,
      action: toOneLine(fillIn(action, values)),
      language,
      accentColor: settings['appearance.accentColor'],
      app,
      lines,
    }),
  }
}

function breakLines(template: string): string[] {
  return template
    .replaceAll('\\n', '\n')
    .trim()
    .split(/\r\n|\r|\n/)
}

const placeholders = /\{(\w+)\}/g

/** Lines about what is absent, and the empty lines that would then be too many. */
function leaveOut(lines: readonly string[], absent: ReadonlySet<string>): string[] {
  const isAbsent = (line: string) => {
    const names = [...line.matchAll(placeholders)].map(([, name = '']) => name)
    return names.length > 0 && names.every((name) => absent.has(name))
  }
  const isEmpty = (line = '') => line.trim() === ''
  const kept: string[] = []
  let isGap = false
  for (const line of lines) {
    const isSpare = isGap && isEmpty(line) && isEmpty(kept.at(-1))
    if (isAbsent(line)) isGap = true
    else if (!isSpare) kept.push(line)
    if (!isAbsent(line) && !isEmpty(line)) isGap = false
  }
  return kept
}

function fillLine(template: string, values: Readonly<Record<string, string>>): MailLine[] {
  // The template, not the values: a note that is an address and nothing else must not look like ours.
  const isOurs = /^\{\w*url\}$/i.test(template.trim())
  const isNote = template.includes('{desc}')
  return fillIn(template, values)
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const text = line.replace(unprintable, '').trimEnd()
      if (isNote) return { text, kind: 'note' }
      return { text, kind: isOurs && /^https?:\/\/\S+$/.test(text.trim()) ? 'action' : 'text' }
    })
}

/** One pass: what a value contains is not looked at. */
function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(placeholders, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
}

/** C0 but for the tab, DEL and C1: they break headers, or are used to hide text. */
const unprintable = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

function toOneLine(text: string): string {
  return text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim()
}
