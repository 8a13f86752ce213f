import { describe, expect, it } from 'vitest'
import { createFinder, type Findable, foldText } from './find-entries.ts'

function search(query: string, ...entries: (Findable | string)[]): string[] {
  const findable = entries.map((entry) => (typeof entry === 'string' ? { label: entry } : entry))
  return createFinder(findable)(query).map(({ entry }) => entry.label)
}

describe('the palette finds', () => {
  it.each([
    ['ubersicht', 'Übersicht'],
    ['STRASSE', 'Straße'],
    ['łódź', 'Lodz'],
    ['smorrebrod', 'Smørrebrød'],
    ['προσκληση', 'Πρόσκληση'],
    ['ωραίος', 'ΩΡΑΙΟΣ'],
    ['еще', 'Ещё'],
    ['ｆｕｌｌ', 'Full'],
    ['اعدادات', 'إعدادات'],
    ['مشاركه', 'مُشارَكة'],
    ['共有', '自分の共有'],
    ['ㅎ', '한국어'],
    ['trip 2024', 'my_trip-2024.zip'],
    ['trip_2024', 'My trip, 2024'],
  ])('%s in %s', (query, label) => {
    expect(search(query, label, 'Nothing of that')).toEqual([label])
  })

  it('only what has every word, in any order and in any part', () => {
    const secret = { label: 'Client secret', detail: 'Social login › Google' }
    const id = { label: 'Client ID', detail: 'Social login › Google' }
    expect(search('google sec', secret, id)).toEqual(['Client secret'])
    expect(search('login client', secret, id)).toEqual(['Client secret', 'Client ID'])
    expect(search('client host', secret, id)).toEqual([])
  })

  it('the whole name before its beginning, a beginning before a later word, parts of words last', () => {
    const entries = ['Reshare', 'Other share', 'Shares', 'Share', { label: 'X', detail: 'Share' }]
    const order = ['Share', 'Shares', 'Other share', 'Reshare', 'X']
    expect(search('share', ...entries)).toEqual(order)
  })

  it('equals in the order in which they were given', () => {
    expect(search('a', 'a2', 'a1')).toEqual(['a2', 'a1'])
  })

  it('vowels of Thai, which are marks but not accents', () => {
    expect(search('ที่', 'ที่', 'ทา')).toEqual(['ที่'])
  })
})

it('what is typed without letters and digits looks for nothing', () => {
  expect(foldText(' -… ')).toBe('')
})
