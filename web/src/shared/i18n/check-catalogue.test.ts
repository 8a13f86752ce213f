import { describe, expect, it } from 'vitest'
import { checkCatalogue, flatten, type Glossary } from './check-catalogue.ts'
import type { Texts } from './fill-catalogue.ts'

const glossary: Glossary = {
  terms: { share: ['Freigabe', 'freigeb'], 'reverse share': ['Empfangslink'] },
  exceptions: { share: ['list.empty'] },
  sameAsEnglish: ['app'],
}
const english = flatten({
  app: 'Floe',
  list: { title: 'Shares of {name}', empty: 'You share nothing' },
  reverse: 'Reverse shares',
  count_one: '{count} file by {name}',
  count_other: '{count} files by {name}',
})
const german = {
  app: 'Floe',
  list: { title: 'Freigaben von {name}', empty: 'Hier ist nichts' },
  reverse: 'Empfangslinks',
  count_one: 'Eine Datei von {name}',
  count_other: '{count} Dateien von {name}',
}

const without = (texts: Texts, key: string): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => name !== key))

const check = (texts: Texts, locale = 'de') =>
  checkCatalogue(flatten(texts), { english, glossary, locale })

describe('a catalogue', () => {
  it('that says everything has no problem', () => {
    expect(check(german)).toEqual([])
  })

  it.each<[string, Texts, string]>([
    ['lacks a text', without(german, 'reverse'), 'reverse: missing'],
    ['has one nobody asks for', { ...german, extra: 'Mehr' }, 'extra: not in English'],
    ['left a text empty', { ...german, reverse: ' ' }, 'reverse: empty'],
    ['left a text English', { ...german, reverse: 'Reverse shares' }, 'reverse: still English'],
    [
      'lost a placeholder',
      { ...german, list: { ...german.list, title: 'Freigaben' } },
      'list.title: has {}, English {name}',
    ],
    [
      'has a placeholder too many',
      { ...german, reverse: 'Empfangslinks {x}' },
      'reverse: has {x}, English {}',
    ],
    ['has a brace on its own', { ...german, reverse: 'Empfangslinks {' }, 'reverse: a brace'],
    [
      'uses another word for a term',
      { ...german, reverse: 'Umgekehrte Freigaben' },
      'reverse: "reverse share" without Empfangslink',
    ],
    [
      'has a plural form its language has not',
      { ...german, count_few: '{count} Dateien von {name}' },
      'count_few: not in English, or a plural form',
    ],
  ])('that %s is told so', (_, texts, problem) => {
    expect(check(texts)[0]).toContain(problem)
  })

  it('needs every plural form of its own rules', () => {
    expect(check(german, 'pl')).toEqual([
      expect.stringContaining('count_few: missing'),
      expect.stringContaining('count_many: missing'),
    ])
  })

  it('has a glossary that names no text that is gone', () => {
    const stale = { ...glossary, sameAsEnglish: ['app', 'gone'] }
    const problems = checkCatalogue(flatten(german), { english, glossary: stale, locale: 'de' })
    expect(problems).toEqual(['glossary: no text is called gone'])
  })
})
