import type { Texts } from './fill-catalogue.ts'

/** How one language says the terms of the product, and where it may differ from its own rules. */
export interface Glossary {
  /**
   * English term → the word this language has for it, then stems of its other forms. A text whose
   * English says the term says one of these.
   */
  terms: Readonly<Record<string, readonly string[]>>
  /** English term → keys of texts that do well without the word. */
  exceptions: Readonly<Record<string, readonly string[]>>
  /** Keys of texts that are the same in both languages. */
  sameAsEnglish: readonly string[]
}

const pluralForm = /_(?:zero|one|two|few|many|other)$/
const placeholder = /\{(\w+)\}/g

export type FlatTexts = ReadonlyMap<string, string>

export function flatten(tree: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[prefix + name, value] as const]
        : [...flatten(value, `${prefix}${name}.`)],
    ),
  )
}

export const withoutForm = (key: string) => key.replace(pluralForm, '')
export const isPluralForm = (key: string) => pluralForm.test(key)
export const placeholdersIn = (text: string) =>
  [...new Set(Array.from(text.matchAll(placeholder), ([, name = '']) => name))].sort()

/** The keys a language has to have: every key of English, with the plural forms of its own rules. */
export function expectedKeys(english: FlatTexts, locale: string): Set<string> {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  return new Set(
    [...english.keys()].flatMap((key) =>
      isPluralForm(key) && english.has(`${withoutForm(key)}_other`)
        ? pluralCategories.map((category) => `${withoutForm(key)}_${category}`)
        : [key],
    ),
  )
}

/** What is wrong with a catalogue, a line for each text: missing, unknown, empty, not translated … */
export function checkCatalogue(
  catalogue: FlatTexts,
  { english, glossary, locale }: { english: FlatTexts; glossary: Glossary; locale: string },
): string[] {
  const expected = expectedKeys(english, locale)
  const missing = [...expected].filter((key) => !catalogue.has(key)).map((key) => `${key}: missing`)
  const unknown = [...catalogue.keys()]
    .filter((key) => !expected.has(key))
    .map((key) => `${key}: not in English, or a plural form this language has not`)
  const wrong = [...catalogue].flatMap(([key, text]) => {
    const source = english.get(key) ?? english.get(`${withoutForm(key)}_other`)
    if (source === undefined) return []
    return [
      ...checkText(key, text, source),
      ...checkTranslated(key, text, source, glossary),
      ...checkTerms(key, text, source, glossary),
    ]
  })
  return [...missing, ...unknown, ...wrong, ...checkGlossary(glossary, english)]
}

function checkText(key: string, text: string, source: string): string[] {
  if (text.trim() === '') return [`${key}: empty`]
  // A plural form may spell its number out.
  const isCounted = isPluralForm(key)
  const listed = (one: string) =>
    placeholdersIn(one)
      .filter((name) => name !== 'count' || !isCounted)
      .join()
  const [given, wanted] = [listed(text), listed(source)]
  return [
    ...(wanted === given ? [] : [`${key}: has {${given}}, English {${wanted}}`]),
    ...(/[{}]/.test(text.replaceAll(placeholder, '')) ? [`${key}: a brace on its own`] : []),
    ...(text === text.trim() ? [] : [`${key}: spaces around it`]),
  ]
}

function checkTranslated(
  key: string,
  text: string,
  source: string,
  { sameAsEnglish }: Glossary,
): string[] {
  // Names of units, products and protocols have no letters to translate.
  if (text !== source || !/\p{L}/u.test(source.replaceAll(placeholder, ''))) return []
  return sameAsEnglish.includes(withoutForm(key)) ? [] : [`${key}: still English (${source})`]
}

function checkTerms(
  key: string,
  text: string,
  source: string,
  { terms, exceptions }: Glossary,
): string[] {
  const said = normalise(text)
  return Object.entries(terms)
    .filter(([term]) => says(source, term))
    .filter(([term]) => !exceptions[term]?.includes(withoutForm(key)))
    .filter(([, forms]) => !forms.some((form) => said.includes(normalise(form))))
    .map(([term, forms]) => `${key}: "${term}" without ${forms.join(' or ')} (${text})`)
}

/** A reverse share is no share. */
function says(source: string, term: string): boolean {
  const text = term === 'share' ? source.replaceAll(/reverse shares?/gi, '') : source
  return new RegExp(`\\b${term}s?\\b`, 'i').test(text.replaceAll(placeholder, ''))
}

const normalise = (text: string) => text.normalize('NFC').toLowerCase()

function checkGlossary(glossary: Glossary, english: FlatTexts): string[] {
  const keys = new Set([...english.keys()].map(withoutForm))
  const named = [...glossary.sameAsEnglish, ...Object.values(glossary.exceptions).flat()]
  return named.filter((key) => !keys.has(key)).map((key) => `glossary: no text is called ${key}`)
}
