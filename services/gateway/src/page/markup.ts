const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** HTML as it is sent. Only `html` makes it, so that no text becomes markup by being forgotten. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Markup | readonly Markup[]

/** Everything filled in is text and is escaped, unless it is markup already. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const filled = parts.map((part, index) => part + (index in values ? toHtml(values[index]) : ''))
  return new Markup(filled.join(''))
}

export const nothing = new Markup('')

function toHtml(value: Value | undefined): string {
  if (value instanceof Markup) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escapeHtml(String(value ?? ''))
}
