import { formatSize, type Language, type PageTextKey, type PageTexts } from '@floe/contracts'
import { textDirection } from '@floe/http'

type Filling = Record<string, string | number>

/** What the gateway says in one language. */
export interface Words {
  /** The text with its placeholders filled in; `count` also chooses its form. */
  say(key: PageTextKey, filling?: Filling): string
  size(bytes: number): string
  /** In the time of the world: nobody told the server the visitor's. */
  date(iso: string): string
}

export function createWords(texts: PageTexts, language: Language): Words {
  const own = texts[language]
  // What is filled in may read the other way than the words around it.
  const isolate = (value: string | number) =>
    textDirection(language) === 'rtl' ? `\u2068${value}\u2069` : String(value)
  const plurals = new Intl.PluralRules(language)
  const dates = new Intl.DateTimeFormat(language, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  })
  return {
    say(key, filling = {}) {
      const { count } = filling
      const form = typeof count === 'number' ? own[`${key}_${plurals.select(count)}`] : undefined
      return (form ?? own[key] ?? '').replaceAll(
        /\{(\w+)\}/g,
        (_placeholder: string, name: string) => isolate(filling[name] ?? ''),
      )
    },
    size: (bytes) => formatSize(bytes, language),
    date: (iso) => dates.format(new Date(iso)),
  }
}
