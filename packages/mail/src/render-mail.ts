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
  values: Readonly<Record<string, string>>
  appName: string
}

/**
 * Fills a template in. Values are text and never read again: neither placeholders nor line breaks
 * nor markup in them mean anything. Unknown placeholders stay as they were written.
 */
export function renderMail({ subject, message, values, appName }: MailTemplate): RenderedMail {
  const lines = breakLines(message).flatMap((line) => fillLine(line, values))
  const title = toOneLine(fillIn(breakLines(subject).join(' '), values))
  return {
    subject: title,
    text: `${lines.map(({ text }) => text).join('\n')}\n`,
    html: renderHtml({ title, appName: toOneLine(appName), lines }),
  }
}

function breakLines(template: string): string[] {
  return template
    .replaceAll('\\n', '\n')
    .trim()
    .split(/\r\n|\r|\n/)
}

function fillLine(template: string, values: Readonly<Record<string, string>>): MailLine[] {
  const isOurs = /^(?:\{\w*url\}|https?:\/\/\S+)$/i.test(template.trim())
  return fillIn(template, values)
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const text = line.replace(unprintable, '').trimEnd()
      // Not the values: a note that is an address and nothing else must not look like ours.
      return { text, isLink: isOurs && /^https?:\/\/\S+$/.test(text.trim()) }
    })
}

/** One pass: what a value contains is not looked at. */
function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : placeholder,
  )
}

/** C0 but for the tab, DEL and C1: they break headers, or are used to hide text. */
const unprintable = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

function toOneLine(text: string): string {
  return text.replace(unprintable, ' ').replace(/\s+/g, ' ').trim()
}
