import { pageTextKeys } from '@floe/contracts'
import { expect, it } from 'vitest'
import { fillCatalogue, type Texts } from './fill-catalogue.ts'
import { pickTexts } from './pick-texts.ts'

const catalogues = import.meta.glob<Texts>('./locales/*.json', { eager: true, import: 'default' })
const english = catalogues['./locales/en.json'] ?? {}

it('takes a text, and every form of one that counts, and nothing beside', () => {
  const catalogue = {
    a: { b: 'B', bb: 'no', c_one: 'C', c_many: 'Cs', c_other: 'Cs', c_hint: 'no' },
    b: 'no',
  }
  expect(pickTexts(catalogue, ['a.b', 'a.c', 'a.gone'])).toEqual({
    'a.b': 'B',
    'a.c_one': 'C',
    'a.c_many': 'Cs',
    'a.c_other': 'Cs',
  })
})

it.each(Object.keys(catalogues))('%s says all that the gateway asks for', (path) => {
  const locale = /([\w-]+)\.json$/.exec(path)?.[1] ?? ''
  const texts = pickTexts(fillCatalogue(catalogues[path] ?? {}, english, locale), pageTextKeys)
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  const isSaid = (key: string) =>
    key in texts || pluralCategories.every((category) => `${key}_${category}` in texts)
  expect(pageTextKeys.filter((key) => !isSaid(key))).toEqual([])
})
