import { describe, expect, it } from 'vitest'
import { buildTree, foldersTo, sortItems } from './file-tree.ts'

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
      { id: '1', name: 'c.txt', sizeBytes: 3, sha256: 'ab', thumbnail: null },
    ])
  })

  it('finds the way to a folder and stops where there is none', () => {
    expect(foldersTo(root, 'a/b').map(({ path }) => path)).toEqual(['', 'a', 'a/b'])
    expect(foldersTo(root, 'a/x/y').map(({ path }) => path)).toEqual(['', 'a'])
    expect(foldersTo(root, '__proto__').map(({ path }) => path)).toEqual([''])
  })

  it('keeps a file whose name is only slashes', () => {
    expect(buildTree([{ id: '1', name: '//', size: '1' }]).files).toHaveLength(1)
  })

  it('sorts numbers in names as numbers', () => {
    const names = sortItems(root.files, { by: 'name', descending: false }, 'en')
    expect(names.map(({ name }) => name)).toEqual(['file 2.txt', 'file 10.txt'])
  })
})
