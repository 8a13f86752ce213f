import { expect, test } from 'vitest'
import {
  findNotices,
  type Notice,
  type Observed,
  type Space,
  subjectOf,
  type ToldNotice,
} from './notice-rules.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 4, 1)
const nothing: Observed = {
  ...{ accounts: [], spaces: [], failedJobs: null, release: null, scans: null },
}
const full = (percent: number): Space => ({ usedBytes: percent, totalBytes: 100 })

/** Remembers what it told as the store does; the kinds of what it tells this hour. */
function createWorld() {
  let told: ToldNotice[] = []
  let hour = 0
  return (observed: Partial<Observed>): Notice[] => {
    const at = new Date(start + hour++ * hourMs)
    const { notices, over } = findNotices({ ...nothing, ...observed }, told, at)
    told = told.filter(({ kind }) => !over.includes(kind))
    for (const notice of notices) told.push({ kind: notice.kind, subject: subjectOf(notice), at })
    return notices
  }
}

test('storage is told once when it passes 90 %, and again only after it fell below 85 %', () => {
  const look = createWorld()
  const told = [90, 95, 89, 91, 85, 90, 84, 89, 90, 99].filter(
    (percent) => look({ spaces: [full(percent)] }).length > 0,
  )
  expect(told).toEqual([90, 90])
  // The second one is that after 84.
  expect(look({ spaces: [full(84)] })).toEqual([])
  expect(look({ spaces: [full(89)] })).toEqual([])
  expect(look({ spaces: [full(92)] })).toHaveLength(1)
})

test('the fuller of limit and disk decides, and what is unknown or has no end decides nothing', () => {
  expect(createWorld()({ spaces: [full(10), full(93)] })).toEqual([
    { kind: 'storage.almost_full', usedBytes: 93, totalBytes: 100 },
  ])
  const look = createWorld()
  expect(look({ spaces: [null, { usedBytes: 5, totalBytes: 0 }] })).toEqual([])
  expect(look({ spaces: [full(95), null] })).toHaveLength(1)
  // A disk that cannot be measured for an hour has not become empty.
  expect(look({ spaces: [null, null] })).toEqual([])
  expect(look({ spaces: [full(95), null] })).toEqual([])
})

test('failed jobs are told once a day at most, and only if more of them failed', () => {
  const look = createWorld()
  const failed = (count: number, hour: number) => ({
    failedJobs: { count, latestAt: new Date(start + hour * hourMs).toISOString() },
  })
  expect(look(failed(2, 0))).toMatchObject([{ kind: 'job.failed', count: 2 }])
  for (let hour = 1; hour < 24; hour++) expect(look(failed(2 + hour, hour))).toEqual([])
  expect(look(failed(25, 23))).toMatchObject([{ count: 25 }])
  for (let hour = 25; hour < 60; hour++) expect(look(failed(25, 23))).toEqual([])
  expect(look(failed(26, 59))).toHaveLength(1)
  expect(createWorld()({ failedJobs: { count: 0, latestAt: '' } })).toEqual([])
})

test('a release is told once, if it is newer than this one', () => {
  const look = createWorld()
  const release = (version: string) => ({ release: { version, url: 'https://example.org' } })
  expect(look(release('0.1.0'))).toEqual([])
  expect(look(release('999.0.0'))).toMatchObject([{ version: '999.0.0' }])
  expect(look(release('999.0.0'))).toEqual([])
  expect(look(release('999.0.1'))).toHaveLength(1)
})

test('accounts are told once each, however long the log shows them', () => {
  const look = createWorld()
  const kim = { id: '1', username: 'kim' }
  const lou = { id: '2', username: 'lou' }
  expect(look({ accounts: [kim] })).toEqual([{ kind: 'user.created', ...kim }])
  expect(look({ accounts: [lou, kim] })).toEqual([{ kind: 'user.created', ...lou }])
  expect(look({ accounts: [lou, kim] })).toEqual([])
})

test('infected files are told once, and again when more are found', () => {
  const look = createWorld()
  const found = (infected: number, latestInfectedAt: string | null) =>
    look({
      scans: {
        ...{ isReachable: true, waiting: 0, failed: 0, tooBig: 0 },
        infected,
        latestInfectedAt,
      },
    })
  expect(found(0, null)).toEqual([])
  const first = '2026-05-01T10:00:00.000Z'
  expect(found(2, first)).toEqual([{ kind: 'file.infected', count: 2, latestAt: first }])
  expect(found(2, first)).toEqual([])
  const next = '2026-05-01T11:00:00.000Z'
  expect(found(3, next)).toEqual([{ kind: 'file.infected', count: 3, latestAt: next }])
})

test('a scanner that is away is told once files wait for it, and again after it was back', () => {
  const look = createWorld()
  const when = (isReachable: boolean, waiting: number) =>
    look({
      scans: {
        isReachable,
        waiting,
        ...{ failed: 0, tooBig: 0, infected: 0 },
        latestInfectedAt: null,
      },
    })
  const away = [{ kind: 'scanner.away', waiting: 4 }]
  expect(when(false, 0)).toEqual([])
  expect(when(false, 4)).toEqual(away)
  expect(when(false, 4)).toEqual([])
  expect(when(true, 4)).toEqual([])
  expect(when(false, 4)).toEqual(away)
})
