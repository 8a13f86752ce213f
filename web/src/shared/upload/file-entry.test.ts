import { describe, expect, it } from 'vitest'
import { addEntries, type FileEntry, toEntry } from './file-entry.ts'

const chosen = (name: string, content: string, lastModified = 1): FileEntry =>
  toEntry(new File([content], name, { lastModified }))

const first = chosen('report.txt', 'four')

describe('files that are added to a list', () => {
  it('stand in it once, also when they are chosen again', () => {
    const again = [chosen('report.txt', 'four'), chosen('other.txt', 'x')]
    const { entries, refused } = addEntries([first], again)
    expect(entries).toEqual([first, again[1]])
    expect(refused).toEqual([])
  })

  it.each([
    ['another size', chosen('report.txt', 'other text')],
    ['another time', chosen('report.txt', 'four', 2)],
  ])('are left out and named where another file of %s has the name', (_, other) => {
    expect(addEntries([first], [other])).toEqual({ entries: [first], refused: ['report.txt'] })
    expect(addEntries([], [first, other])).toEqual({ entries: [first], refused: ['report.txt'] })
  })

  it('are left out and named where their name is in use elsewhere', () => {
    expect(addEntries([], [first], ['report.txt'])).toEqual({
      entries: [],
      refused: ['report.txt'],
    })
  })
})
