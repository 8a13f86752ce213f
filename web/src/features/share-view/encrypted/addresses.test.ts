import { describe, expect, it } from 'vitest'
import { buildTree, foldersTo } from '../file-tree.ts'
import { encryptedAddresses, type FolderAround, parseAddress } from './addresses.ts'

const site = 'https://files.example'
const parse = (address: string) => parseAddress(new URL(address, site))

describe('an address of an encrypted share', () => {
  it('of a file comes back as it was, to be saved or shown', () => {
    const address = encryptedAddresses.file('a b', 'id/1')
    const wanted = { kind: 'file', shareId: 'a b', fileId: 'id/1' }
    expect(parse(address)).toEqual({ ...wanted, isShown: false })
    expect(parse(`${address}?download=false`)).toEqual({ ...wanted, isShown: true })
  })

  it('of an archive says which files it holds', async () => {
    const wanted = (folder: FolderAround | null, fileIds: ReadonlySet<string> | null) => ({
      ...{ kind: 'archive', shareId: 'x', part: { folder, fileIds } },
    })
    expect(parse(encryptedAddresses.archive('x'))).toEqual(wanted(null, null))
    const some = await encryptedAddresses.selection(neverAsked, 'x', ['1', '2'])
    expect(parse(some)).toEqual(wanted(null, new Set(['1', '2'])))
  })

  it('of a folder names a file that lies in it, and none of its folders', () => {
    const tree = buildTree([{ id: 'id/1', name: 'été/a & b/deep/c.txt', size: '1' }])
    const [, , folder] = foldersTo(tree, 'été/a & b')
    const address = encryptedAddresses.archive('x', folder)
    expect(address).not.toMatch(/%C3|%26|deep/)
    const part = { folder: { fileId: 'id/1', depth: 2 }, fileIds: null }
    expect(parse(address)).toEqual({ kind: 'archive', shareId: 'x', part })
  })

  it.each([
    '/share/x',
    '/share/x/edit',
    '/share/x/files',
    '/share/x/files/a/b',
    '/api/shares/x/files/1',
  ])('is not %s', (address) => expect(parse(address)).toBeNull())
})

const neverAsked = { request: () => Promise.reject(new Error('asked the server')) }
