import { expect, test } from 'vitest'
import { fillCatalogue } from './fill-catalogue.ts'

const english = {
  save: 'Save',
  list: { title: 'Files', total_one: '{count} file', total_other: '{count} files' },
}

test('English says what a language does not', () => {
  expect(fillCatalogue({ list: { title: 'Dateien' } }, english, 'de')).toEqual({
    save: 'Save',
    list: { ...english.list, title: 'Dateien' },
  })
})

test('an empty text counts as not said', () => {
  expect(fillCatalogue({ save: '', list: english.list }, english, 'de')).toEqual(english)
})

test('a complete catalogue stays as it is', () => {
  const german = {
    save: 'Speichern',
    list: { title: 'Dateien', total_one: '{count} Datei', total_other: '{count} Dateien' },
  }
  expect(fillCatalogue(german, english, 'de')).toEqual(german)
})

test('a language gets every plural form its rules select, and no other', () => {
  const { list } = fillCatalogue({}, english, 'pl')
  expect(list).toEqual({
    title: 'Files',
    total_one: '{count} file',
    total_few: '{count} files',
    total_many: '{count} files',
    total_other: '{count} files',
  })
  expect(fillCatalogue({}, english, 'ja')).toEqual({
    save: 'Save',
    list: { title: 'Files', total_other: '{count} files' },
  })
})

test('its own general form stands in for a plural form a language lacks', () => {
  const polish = { list: { total_one: '{count} plik', total_other: '{count} pliku' } }
  expect(fillCatalogue(polish, english, 'pl')['list']).toMatchObject({
    total_one: '{count} plik',
    total_few: '{count} pliku',
    total_many: '{count} pliku',
  })
})
