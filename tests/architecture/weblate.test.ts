import { languages } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

/** As docs/languages.md tells Weblate. */
const components = [
  ...read('docs/languages.md').matchAll(/^\| [^|]+ \| `([^`|]+\*\.json)` \| `([^`|]+)` \|$/gm),
].map(([, mask = '', base = '']) => ({ mask, base }))

type Texts = { [key: string]: string | Texts }

/** Every object in it, itself included. */
function levelsOf(texts: Texts): Texts[] {
  const below = Object.values(texts).filter((value) => typeof value === 'object')
  return [texts, ...below.flatMap(levelsOf)]
}

const plural = /_(?:zero|one|two|few|many|other)$/

test('Weblate is told of the catalogues of the page and of the emails', () => {
  expect(components.map(({ base }) => base)).toEqual([
    'web/src/shared/i18n/locales/en.json',
    'packages/mail/src/texts/en.json',
  ])
})

describe.each(components)('$mask', ({ mask, base }) => {
  const [start = '', end = ''] = mask.split('*')
  const files = listCommitted().filter((path) => path.startsWith(start) && path.endsWith(end))
  const readTexts = (path: string) => JSON.parse(read(path)) as Texts

  test('matches one file for each language, the base among them, and nothing else', () => {
    expect(files.toSorted()).toEqual(
      languages.map((language) => `${start}${language}${end}`).toSorted(),
    )
    expect(files).toContain(base)
  })

  test.each(files)('%s has nested texts with the plural suffixes of i18next v4 alone', (path) => {
    for (const level of levelsOf(readTexts(path))) {
      expect(Array.isArray(level)).toBe(false)
      for (const key of Object.keys(level)) {
        expect(key).toMatch(/^[\w-]+$/)
        // Those of v3, which Weblate would take for texts of their own.
        expect(key).not.toMatch(/_(?:plural|\d+)$/)
        // What ends like a plural form has to be one: Weblate joins them by their suffix.
        if (plural.test(key)) expect(level).toHaveProperty([key.replace(plural, '_other')])
      }
    }
  })

  // A commit of Weblate then changes the lines of what was translated, and no others.
  test.each(files)('%s is laid out as Weblate writes it', (path) => {
    expect(read(path)).toBe(`${JSON.stringify(readTexts(path), null, 2)}\n`)
  })
})
