import { describe, expect, it } from 'vitest'
import type { FileEntry } from './file-entry.ts'
import {
  type FindByContent,
  findUnfinishedOf,
  joinUnfinished,
  type MatchedFiles,
  matchFiles,
  remoteOnly,
  withAnnounced,
} from './match-files.ts'
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

/** The server has of each address what the file of this name begins with. */
function byContent(contents: Record<string, string>) {
  const asked: string[] = []
  const find: FindByContent = async (url, candidates) => {
    asked.push(`${url}: ${candidates.map(({ name }) => name).join(' ')}`)
    return candidates.find(({ name }) => name === contents[url]) ?? null
  }
  return { find, asked }
}

const nobody: FindByContent = async () => null
const names = ({ matched }: MatchedFiles) =>
  matched.map(({ entry, url }) => [url, entry.file.name, entry.name])
describe('an upload that another browser began', () => {
  it('is told from those that this one knows', () => {
    const local = { shareId: 'mine', name: null, reverseShare: null, createdAtMs: 0 }
    const uploads = [remote, remote, { ...remote, shareId: 'mine' }]
    expect(remoteOnly([{ share: local, files: [] }], uploads)).toEqual(['s'])
  })

  it('has the files, too, that were announced and not begun, each once', async () => {
    const [begun] = joinUnfinished([], [remote])
    const coming = ['a', 'trip/b'].map((name) => ({ name, size: '5', received: '0' }))
    const { files } = withAnnounced(begun ?? upload(), coming)
    expect(files).toMatchObject([
      { name: 'a', url: remote.url },
      { name: 'b', relativePath: 'trip/b', sizeBytes: 5, url: null, isDone: false },
    ])
    const again = [chosen('a', 5), chosen('b', 5)]
    const { matched, missing } = await matchFiles(upload(...files), again, nobody)
    expect([matched.length, missing]).toEqual([2, []])
  })
})

describe('files chosen again', () => {
  it('continue at the address of the same file', async () => {
    const unfinished = upload(stored('a', 5), stored('b', 6))
    const { matched, missing } = await matchFiles(unfinished, [chosen('a', 5)], nobody)
    expect(matched.map(({ entry, url }) => [entry.name, url])).toEqual([['a', '/u/a']])
    expect(missing.map(({ name }) => name)).toEqual(['b'])
  })

  it('match by name and size where another browser began', async () => {
    const unfinished = upload(stored('a', 5, { key: 'other' }))
    const { matched } = await matchFiles(unfinished, [chosen('a', 5)], nobody)
    expect(matched[0]?.entry.key).toBe('other')
  })

  it('do not match with another size, nor twice', async () => {
    const { find, asked } = byContent({ '/u/a': 'a' })
    const another = await matchFiles(upload(stored('a', 5)), [chosen('a', 4)], find)
    expect([another.matched, asked]).toEqual([[], []])
    const twins = upload(stored('a', 5, { key: '1' }), stored('a', 5, { key: '2' }))
    expect((await matchFiles(twins, [chosen('a', 5)], nobody)).matched).toHaveLength(1)
  })

  it('leave out what an earlier visit finished', async () => {
    const unfinished = upload(stored('a', 5, { isDone: true }))
    const { matched, missing } = await matchFiles(unfinished, [], nobody)
    expect([matched, missing]).toEqual([[], []])
  })

  it('match under another name by what they begin with, and keep the name that was begun', async () => {
    const { find } = byContent({ '/u/a': 'renamed' })
    const result = await matchFiles(upload(stored('a', 5)), [chosen('renamed', 5)], find)
    expect(names(result)).toEqual([['/u/a', 'renamed', 'a']])
    expect(result.isRenamed).toBe(true)
    const same = await matchFiles(upload(stored('a', 5)), [chosen('a', 5)], find)
    expect(same.isRenamed).toBe(false)
  })

  it('do not match under another name with another content, or where nothing was sent', async () => {
    const other = await matchFiles(upload(stored('a', 5)), [chosen('b', 5)], nobody)
    expect(other.missing).toHaveLength(1)
    const { find, asked } = byContent({ '/u/a': 'b' })
    const unsent = upload(stored('a', 5, { url: null }))
    expect((await matchFiles(unsent, [chosen('b', 5)], find)).missing).toHaveLength(1)
    expect(asked).toEqual([])
  })

  it('of one size are told apart by content, the one of the name first', async () => {
    const { find, asked } = byContent({ '/u/a': 'b', '/u/b': 'a' })
    const begun = upload(stored('a', 5, { key: '1' }), stored('b', 5, { key: '2' }))
    const result = await matchFiles(begun, [chosen('b', 5), chosen('a', 5)], find)
    expect(names(result)).toEqual([
      ['/u/a', 'b', 'a'],
      ['/u/b', 'a', 'b'],
    ])
    expect(asked[0]).toBe('/u/a: a b')
  })

  it('match by name where the content is another: it is refused where it would continue', async () => {
    const begun = upload(stored('a', 5, { key: '1' }))
    const result = await matchFiles(begun, [chosen('b', 5), chosen('a', 5)], nobody)
    expect(names(result)).toEqual([['/u/a', 'a', 'a']])
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
