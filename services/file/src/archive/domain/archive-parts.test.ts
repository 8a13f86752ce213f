import { randomUUID } from 'node:crypto'
import { archivePartSchema, MOST_CHOSEN_FILES } from '@floe/contracts'
import { describe, expect, test } from 'vitest'
import { partOf, selectFiles } from './archive-parts.ts'

const listOf = (...names: string[]) => names.map((name) => ({ id: randomUUID(), name }))
const namesOf = ({ files }: { files: readonly { name: string }[] }) => files.map(({ name }) => name)

describe('a folder', () => {
  const listed = listOf(
    'a.txt',
    'photos',
    'photos 2/x.jpg',
    'photos//2026/deep/b.jpg',
    'photos/2026/a.jpg',
    '../up/c.txt',
    'photos/../../d.txt',
  )

  test('has its files and those of its folders, by their names within it', () => {
    const part = partOf(listed, { folder: 'photos/2026' })
    expect(namesOf(part)).toEqual(['deep/b.jpg', 'a.jpg'])
    expect(part.folder).toBe('2026')
  })

  test('is found by its whole name only', () => {
    expect(namesOf(partOf(listed, { folder: 'photos' }))).toEqual([
      '2026/deep/b.jpg',
      '2026/a.jpg',
      '../../d.txt',
    ])
    for (const folder of ['photo', 'Photos', 'a.txt', '2026', '/', '//', 'photos/2026/a.jpg']) {
      expect(namesOf(partOf(listed, { folder }))).toEqual([])
    }
  })

  test('called like a way out is one of the share and nothing else', () => {
    expect(namesOf(partOf(listed, { folder: '..' }))).toEqual(['up/c.txt'])
    expect(namesOf(partOf(listed, { folder: '../../etc' }))).toEqual([])
    expect(namesOf(partOf(listed, { folder: 'photos/2026/..' }))).toEqual([])
  })
})

describe('a selection', () => {
  const listed = listOf('a/1.txt', 'a/b/2.txt', 'a/b/3.txt', 'c.txt')
  const select = (...places: number[]) =>
    selectFiles(
      listed,
      places.map((place) => listed[place]?.id.toUpperCase() ?? ''),
    )

  test('has the chosen files without the folders they share, in the order of the list', () => {
    const within = partOf(listed, { selection: select(2, 1, 2) })
    expect(namesOf(within)).toEqual(['2.txt', '3.txt'])
    expect(within.folder).toBe('b')
    const across = partOf(listed, { selection: select(0, 2) })
    expect(namesOf(across)).toEqual(['1.txt', 'b/3.txt'])
    expect(across.folder).toBe('a')
    const apart = partOf(listed, { selection: select(1, 3) })
    expect(namesOf(apart)).toEqual(['a/b/2.txt', 'c.txt'])
    expect(apart.folder).toBeNull()
  })

  test('takes no file of another share', () => {
    expect(() => selectFiles(listed, [listed[0]?.id ?? '', randomUUID()])).toThrowError(
      expect.objectContaining({ code: 'file_not_found' }),
    )
  })

  test('names nothing once the files are others', () => {
    const selection = select(1, 2)
    expect(partOf(listed.slice(1), { selection }).files).toEqual([])
    expect(namesOf(partOf([...listed, ...listOf('d.txt')], { selection }))).toEqual([
      '2.txt',
      '3.txt',
    ])
  })

  test.each(['A', 'AAAAAAAAAAAAAAAA', '_'.repeat(6_000)])(
    'made up as %.20s has no file',
    (made) => {
      expect(partOf(listed, { selection: made }).files).toEqual([])
    },
  )

  test('fits an address, however large the share and whatever was chosen of it', () => {
    const many = Array.from({ length: 100_000 }, (_, place) => ({
      id: randomUUID(),
      name: `${place}`,
    }))
    for (const every of [1, 3, 50]) {
      const chosen = many
        .filter((_, place) => place % every === 0 || place % 7_919 === 0)
        .slice(0, MOST_CHOSEN_FILES)
      const selection = selectFiles(
        many,
        chosen.map(({ id }) => id),
      )
      expect(archivePartSchema.safeParse({ selection }).success).toBe(true)
      expect(partOf(many, { selection }).files).toHaveLength(chosen.length)
    }
    const scattered = [...many].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MOST_CHOSEN_FILES)
    const selection = selectFiles(
      many,
      scattered.map(({ id }) => id),
    )
    expect(archivePartSchema.safeParse({ selection }).success).toBe(true)
    expect(partOf(many, { selection }).files).toHaveLength(scattered.length)
  })
})
