import type { Language } from '@floe/contracts'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

/** A text of the page by its key, with its placeholders filled in. */
export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** What the page says in a language, from the catalogue it is built with. */
export function speak(language: Language): Say {
  const path = `../../../web/src/shared/i18n/locales/${language}.json`
  const catalogue = JSON.parse(
    readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'),
  ) as Catalogue
  const plural = new Intl.PluralRules(language)

  function find(key: string): string | undefined {
    let place: Catalogue | string | undefined = catalogue
    for (const name of key.split('.')) place = typeof place === 'object' ? place[name] : undefined
    return typeof place === 'string' ? place : undefined
  }

  return (key, values = {}) => {
    const { count } = values
    const form = typeof count === 'number' ? find(`${key}_${plural.select(count)}`) : undefined
    const text = form ?? find(key)
    if (text === undefined) throw new Error(`${language} has no text called ${key}`)
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}
