import { randomUUID } from 'node:crypto'
import { type ArchiveEntry, planArchive } from '@floe/archive'
import { newObjectKey } from '@floe/storage'
import { expect, test } from 'vitest'
import { archiveEtag, type TaggedEntry } from './archive-etag.ts'

type Entry = TaggedEntry & ArchiveEntry<string>

const etagOf = (entries: readonly Entry[]) => archiveEtag(entries, planArchive(entries).layout)

const entries: Entry[] = ['a', 'b'].map((path, index) => ({
  fileId: randomUUID(),
  objectKey: newObjectKey(),
  path,
  sizeBytes: 1,
  crc32: 100 + index,
  modifiedAt: new Date(Date.UTC(2026, 0, 1) + index * 61_000),
}))

test('gives equal manifests equal tags and any difference another', () => {
  const etag = etagOf(entries)
  expect(etagOf([...entries])).toBe(etag)
  expect(etag).toMatch(/^"[\w-]{27}"$/)
  const change = (difference: Partial<Entry>) =>
    etagOf(entries.map((entry, index) => (index === 0 ? { ...entry, ...difference } : entry)))
  const tags = [
    change({ fileId: randomUUID() }),
    change({ path: 'c' }),
    change({ crc32: 1 }),
    change({ sizeBytes: 2 }),
    change({ modifiedAt: new Date(0) }),
    etagOf(entries.slice(1)),
    etagOf(entries.toReversed()),
  ]
  expect(new Set([etag, ...tags]).size).toBe(tags.length + 1)
})

test('gives another tag to other segments, and to none its own', () => {
  const made = { objectKey: newObjectKey(), sizeBytes: 0, readyAt: new Date('2026-06-01') }
  const tag = (segment?: typeof made) =>
    etagOf(entries.map((entry) => ({ ...entry, ...(segment && { segment }) })))
  const again = { ...made, objectKey: newObjectKey() }
  const tags = [tag(), tag(made), tag(again)]
  expect(new Set(tags).size).toBe(3)
  expect(tag({ ...made })).toBe(tags[1])
})

test('gives the tags that downloads already begun came with', () => {
  const stored = { sizeBytes: 300, crc32: 0xcbf43926, modifiedAt: new Date('2026-01-02T03:04:05Z') }
  const segment = { objectKey: 'segment', sizeBytes: 100, readyAt: new Date('2026-06-01') }
  const known: Entry[] = [
    { ...stored, fileId: '1', objectKey: 'stored', path: 'Übersicht/文件 😀.txt' },
    { ...stored, fileId: '2', objectKey: 'huge', path: 'a.txt', sizeBytes: 5_000_000_000 },
    { ...stored, fileId: '3', objectKey: 'deflated', path: 'A.txt', segment },
  ]
  expect(etagOf(known)).toBe('"yBXLqQFomKA2PuZ0DDSpa54YPy6"')
  expect(etagOf([])).toBe('"ldTxrIAvPssuPJhTHOjFwTk7qVL"')
})
