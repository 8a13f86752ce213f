import { describe, expect, it } from 'vitest'
import type { FileEntry } from './file-entry.ts'
import { findUnfinishedOf, joinUnfinished, matchFiles } from './match-files.ts'
import type { StoredFile } from './upload-registry.ts'

function chosen(name: string, sizeBytes: number): FileEntry {
  const key = `${name}:${sizeBytes}`
  return { key, file: new File([], name), name, relativePath: null, sizeBytes }
}

function stored(name: string, sizeBytes: number, changes: Partial<StoredFile> = {}): StoredFile {
  const key = `${name}:${sizeBytes}`
  const file = { shareId: 's', key, name, relativePath: null, sizeBytes, url: `/u/${name}` }
  return { ...file, offsetBytes: 0, isDone: false, ...changes }
}

const upload = (...files: StoredFile[]) => ({
  shareId: 's',
  name: null,
  reverseShare: null,
  startedAtMs: 0,
  files,
})

const remote = {
  url: 'http://floe.test/u/a',
  shareId: 's',
  name: 'a',
  relativePath: null,
  sizeBytes: 5,
  offsetBytes: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-02T00:00:00.000Z',
}

describe('files chosen again', () => {
  it('continue at the address of the same file', () => {
    const { matched, missing } = matchFiles(upload(stored('a', 5), stored('b', 6)), [
      chosen('a', 5),
    ])
    expect(matched.map(({ entry, url }) => [entry.name, url])).toEqual([['a', '/u/a']])
    expect(missing.map(({ name }) => name)).toEqual(['b'])
  })

  it('match by name and size where another browser began', () => {
    const { matched } = matchFiles(upload(stored('a', 5, { key: 'other' })), [chosen('a', 5)])
    expect(matched[0]?.entry.key).toBe('other')
  })

  it('do not match with another size, nor twice', () => {
    expect(matchFiles(upload(stored('a', 5)), [chosen('a', 4)]).matched).toEqual([])
    const twins = upload(stored('a', 5, { key: '1' }), stored('a', 5, { key: '2' }))
    expect(matchFiles(twins, [chosen('a', 5)]).matched).toHaveLength(1)
  })

  it('leave out what an earlier visit finished', () => {
    const { matched, missing } = matchFiles(upload(stored('a', 5, { isDone: true })), [])
    expect([matched, missing]).toEqual([[], []])
  })

  it('belong to an unfinished upload only when all of them do', () => {
    const list = [upload(stored('a', 5))]
    expect(findUnfinishedOf(list, [chosen('a', 5)])?.shareId).toBe('s')
    expect(findUnfinishedOf(list, [chosen('a', 5), chosen('z', 1)])).toBeNull()
    expect(findUnfinishedOf(list, [])).toBeNull()
  })
})

describe('the list of unfinished uploads', () => {
  it('takes offsets from the server and files from this browser', () => {
    const local = [
      {
        share: { shareId: 's', name: 'Trip', reverseShare: null, createdAtMs: 1 },
        files: [stored('a', 5), stored('b', 6)],
      },
    ]
    const [joined] = joinUnfinished(local, [remote])
    expect(joined?.name).toBe('Trip')
    expect(joined?.files.map(({ name, offsetBytes }) => [name, offsetBytes])).toEqual([
      ['a', 3],
      ['b', 0],
    ])
  })

  it('offers what only the server knows', () => {
    const [joined] = joinUnfinished([], [remote])
    expect(joined).toMatchObject({ shareId: 's', files: [{ name: 'a', offsetBytes: 3 }] })
  })
})
