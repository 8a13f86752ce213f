import { configCatalogue, languages, webhookEvents } from '@floe/contracts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  checkCatalogue,
  flatten,
  type Glossary,
  isPluralForm,
  placeholdersIn,
  withoutForm,
} from './check-catalogue.ts'
import type { Texts } from './fill-catalogue.ts'
import { frameSections } from './frame-sections.ts'

const sourceDir = fileURLToPath(new URL('../../', import.meta.url))
const folderOf = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url))

function readJson(folder: string, language: string): unknown {
  return JSON.parse(readFileSync(join(folderOf(folder), `${language}.json`), 'utf8'))
}

const readCatalogue = (language: string) => flatten(readJson('locales', language) as Texts)

function readSources(where = /^/): string {
  return readdirSync(sourceDir, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !file.startsWith('testing') &&
        !/\.test\.tsx?$/.test(file) &&
        where.test(file),
    )
    .map((file) => readFileSync(join(sourceDir, file), 'utf8'))
    .join('\n')
}

/** Whatever looks like a key. */
function readLiterals(text: string): string[] {
  return [...text.matchAll(/'([a-zA-Z]+(?:\.\w+)+)'/g)].map(([, literal = '']) => literal)
}

/** The beginning of each key whose last part is a value, such as `share.expiry.unit.${unit}`. */
function readPrefixes(text: string): string[] {
  return [...text.matchAll(/t\(\s*`([\w.]+)\.\$\{/g)].map(([, prefix]) => `${prefix}.`)
}

const english = readCatalogue('en')
const sources = readSources()

describe('the English catalogue', () => {
  const keys = new Set([...english.keys()].map(withoutForm))
  const roots = new Set([...keys].map((key) => key.split('.')[0]))
  const literals = new Set(
    readLiterals(sources).filter((literal) => roots.has(literal.split('.')[0])),
  )
  const prefixes = readPrefixes(sources)

  it('has every key the page asks for', () => {
    const names: readonly string[] = [...Object.keys(configCatalogue), ...webhookEvents]
    const unknown = [...literals].filter((key) => !keys.has(key) && !names.includes(key))
    expect(unknown).toEqual([])
  })

  it('has no key the page never asks for', () => {
    const unused = [...keys].filter(
      (key) => !literals.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).toEqual([])
  })

  it('gives the frame and the page of a share every key they ask for', () => {
    const frame = readSources(
      /^(?:app\/(?!shell\/)|(?:features\/share-view|shared\/(?:api|components|format))\/)/,
    )
    const asked = [...readLiterals(frame), ...readPrefixes(frame)]
    const settings: readonly string[] = Object.keys(configCatalogue)
    const elsewhere = asked.filter((key) => {
      const [root = ''] = key.split('.')
      return roots.has(root) && !frameSections.includes(root) && !settings.includes(key)
    })
    expect(elsewhere).toEqual([])
  })

  it('uses the same placeholders in every plural form, beside the count', () => {
    for (const [key, text] of english) {
      if (!isPluralForm(key) || key.endsWith('_other')) continue
      const other = english.get(`${withoutForm(key)}_other`) ?? ''
      expect(placeholdersIn(text), key).toEqual(placeholdersIn(other))
    }
  })

  it('leaves no text empty and no brace unpaired', () => {
    for (const [key, text] of english) {
      expect(text.trim(), key).not.toBe('')
      expect(text.replaceAll(/\{\w+\}/g, ''), key).not.toMatch(/[{}]/)
    }
  })
})

it('every language is there, with a catalogue and, but for English, a glossary', () => {
  expect(languages).toHaveLength(23)
  const files = languages.map((language) => `${language}.json`).sort()
  expect(readdirSync(folderOf('locales')).sort()).toEqual(files)
  const others = files.filter((file) => file !== 'en.json')
  expect(readdirSync(folderOf('glossaries')).sort()).toEqual(others)
})

it.each(languages.filter((language) => language !== 'en'))(
  '%s says everything English says, in its own words and plural forms, with the same terms throughout',
  (language) => {
    const glossary = readJson('glossaries', language) as Glossary
    const problems = checkCatalogue(readCatalogue(language), {
      english,
      glossary,
      locale: language,
    })
    expect(problems).toEqual([])
  },
)
