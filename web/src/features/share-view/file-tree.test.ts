import { describe, expect, it } from 'vitest'
import { buildTree, foldersTo, openingFolder, sortItems } from './file-tree.ts'

const files = [
  { id: '1', name: 'a/b/c.txt', size: '3', sha256: 'ab' },
  { id: '2', name: 'a/d.txt', size: '4' },
  { id: '3', name: 'file 10.txt', size: '1' },
  { id: '4', name: 'file 2.txt', size: '2' },
]

describe('the tree of a share', () => {
  const root = buildTree(files)

  it('counts the files and bytes below every folder', () => {
    expect(root).toMatchObject({ fileCount: 4, sizeBytes: 10 })
    expect(root.folders.get('a')).toMatchObject({ fileCount: 2, sizeBytes: 7, path: 'a' })
    expect(root.folders.get('a')?.folders.get('b')?.files).toEqual([
      {
        id: '1',
        name: 'c.txt',
        sizeBytes: 3,
        sha256: 'ab',
        thumbnail: null,
        received: null,
        scan: null,
      },
    ])
  })

  it('finds the way to a folder and stops where there is none', () => {
    expect(foldersTo(root, 'a/b').map(({ path }) => path)).toEqual(['', 'a', 'a/b'])
    expect(foldersTo(root, 'a/x/y').map(({ path }) => path)).toEqual(['', 'a'])
    expect(foldersTo(root, '__proto__').map(({ path }) => path)).toEqual([''])
  })

  it('begins in an only folder, however deep', () => {
    const pathOf = (...names: string[]) =>
      openingFolder(buildTree(names.map((name) => ({ id: name, name, size: '1' })))).path
    expect(pathOf('a/b/c.txt', 'a/b/d/e.txt')).toBe('a/b')
    expect(pathOf('a/b.txt', 'c.txt')).toBe('')
    expect(pathOf('a/b.txt', 'c/d.txt')).toBe('')
  })

  it('has files on their way where they are going to be, each of its own', () => {
    const twin = { name: 'a/e.txt', size: '8', received: '2' }
    const folder = buildTree(files, [twin, twin]).folders.get('a')
    expect(folder).toMatchObject({ fileCount: 4, sizeBytes: 23 })
    const coming = folder?.files.filter(({ received }) => received !== null) ?? []
    expect(coming).toMatchObject([
      { name: 'e.txt', sizeBytes: 8, received: 2, scan: null },
      { name: 'e.txt', sizeBytes: 8, received: 2, scan: null },
    ])
    expect(coming[0]?.id).not.toBe(coming[1]?.id)
  })

  it('keeps a file whose name is only slashes', () => {
    expect(buildTree([{ id: '1', name: '//', size: '1' }]).files).toHaveLength(1)
  })

  it('sorts numbers in names as numbers', () => {
    const names = sortItems(root.files, { by: 'name', descending: false }, 'en')
    expect(names.map(({ name }) => name)).toEqual(['file 2.txt', 'file 10.txt'])
  })
})
