import { configCatalogue } from '@floe/contracts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { locales } from './catalogues.ts'
import { fillCatalogue, type Texts } from './fill-catalogue.ts'
import { frameSections } from './frame-sections.ts'

const sourceDir = fileURLToPath(new URL('../../', import.meta.url))
const localesDir = fileURLToPath(new URL('./locales/', import.meta.url))
const plural = /_(?:zero|one|two|few|many|other)$/

function flatten(tree: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[prefix + name, value] as const]
        : [...flatten(value, `${prefix}${name}.`)],
    ),
  )
}

function readTree(file: string): Texts {
  return JSON.parse(readFileSync(join(localesDir, file), 'utf8')) as Texts
}

function readLocale(file: string): Map<string, string> {
  return flatten(readTree(file))
}

const baseKeys = (keys: Iterable<string>) =>
  new Set([...keys].map((key) => key.replace(plural, '')))
const placeholders = (text: string) =>
  new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

function readSources(where = /^/): string {
  return readdirSync(sourceDir, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && where.test(file))
    .map((file) => readFileSync(join(sourceDir, file), 'utf8'))
    .join('\n')
}

/** Whatever looks like a key. */
function readLiterals(text: string): string[] {
  return [...text.matchAll(/'([a-zA-Z]+(?:\.\w+)+)'/g)].map(([, literal = '']) => literal)
}

/** Of keys whose last part is a value, such as `share.expiry.unit.${unit}`, what stands before. */
function readPrefixes(text: string): string[] {
  return [...text.matchAll(/t\(\s*`([\w.]+)\.\$\{/g)].map(([, prefix]) => `${prefix}.`)
}

const english = readLocale('en.json')
const sources = readSources()
const others = readdirSync(localesDir).filter((file) => file !== 'en.json')
/** Languages that need no English to stand in. */
const complete: ReadonlySet<string> = new Set(['de.json'])

describe('the English catalogue', () => {
  const keys = baseKeys(english.keys())
  const roots = new Set([...keys].map((key) => key.split('.')[0]))
  const literals = new Set(
    readLiterals(sources).filter((literal) => roots.has(literal.split('.')[0])),
  )
  const prefixes = readPrefixes(sources)

  it('has every key the page asks for', () => {
    const settings: readonly string[] = Object.keys(configCatalogue)
    const unknown = [...literals].filter((key) => !keys.has(key) && !settings.includes(key))
    expect(unknown).toEqual([])
  })

  it('has no key the page never asks for', () => {
    const unused = [...keys].filter(
      (key) => !literals.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
    )
    expect(unused).toEqual([])
  })

  it('gives the frame and the page of a share every key they ask for', () => {
    const frame = readSources(/^(?:app|features\/share-view|shared\/(?:api|components|format))\//)
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
      if (!key.endsWith('_one')) continue
      const other = english.get(key.replace(plural, '_other')) ?? ''
      expect([...placeholders(text)].sort(), key).toEqual([...placeholders(other)].sort())
    }
  })

  it('leaves no text empty and no brace unpaired', () => {
    for (const [key, text] of english) {
      expect(text.trim(), key).not.toBe('')
      expect(text.replaceAll(/\{\w+\}/g, ''), key).not.toMatch(/[{}]/)
    }
  })
})

it('offers every language it has a catalogue of', () => {
  const files = locales.map(({ code }) => `${code}.json`)
  expect(files.sort()).toEqual(readdirSync(localesDir).sort())
})

describe.each(others)('catalogue %s', (file) => {
  const catalogue = readLocale(file)

  it('has only keys that English has', () => {
    const known = baseKeys(english.keys())
    expect([...baseKeys(catalogue.keys())].filter((key) => !known.has(key))).toEqual([])
  })

  it.runIf(complete.has(file))('says everything English says, in every plural form', () => {
    const filled = fillCatalogue(readTree(file), readTree('en.json'), file.replace('.json', ''))
    const missing = [...flatten(filled).keys()].filter((key) => !catalogue.get(key)?.trim())
    expect(missing).toEqual([])
  })

  it('fills in the same placeholders as English', () => {
    for (const [key, text] of catalogue) {
      const reference =
        english.get(key) ?? english.get(key.replace(plural, '_other')) ?? english.get(key) ?? ''
      const allowed = placeholders(reference)
      expect(
        [...placeholders(text)].filter((name) => !allowed.has(name)),
        key,
      ).toEqual([])
    }
  })
})
