import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LighthouseRunner, startLighthouse } from '../harness/lighthouse.ts'
import { configure } from '../harness/people.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

// The score for speed depends on the machine and is a row of the benchmark.

const journey = useOwnFloe()
let lighthouse: LighthouseRunner

beforeAll(async () => {
  const admin = await journey.visitAsAdministrator()
  await configure(admin, { 'share.allowUnauthenticatedShares': true })
  const files = { 'notes.txt': 'Notes', 'table.xyz': 'unknown', 'Photos/one.txt': 'one' }
  const { request } = admin.context
  await makeShare(request, { id: 'open', name: 'Open share', description: 'For you', files })
  await makeShare(request, { id: 'locked', name: 'Locked share', password: 'secret', files })
  await admin.leave()
  lighthouse = await startLighthouse()
})

afterAll(() => lighthouse?.close())

/** A page that search engines are kept from fails that audit, and no other. */
const kept = ['is-crawlable']

test.each([
  ['/', []],
  ['/auth/signIn', []],
  ['/upload', []],
  ['/share/open', kept],
  ['/share/locked', kept],
])(
  'Lighthouse has no objection to %s, where nothing moves and nothing complains',
  async (path, unlisted) => {
    const visit = await lighthouse.visit(journey.floe.url + path, {
      only: {
        categories: ['accessibility', 'best-practices', 'seo'],
        audits: ['cumulative-layout-shift'],
      },
    })
    expect(visit.complaints()).toEqual([])
    expect(visit.failuresIn('accessibility')).toEqual([])
    expect(visit.failuresIn('best-practices')).toEqual([])
    expect(visit.failuresIn('seo')).toEqual(unlisted)
    expect(visit.scoreOf('accessibility')).toBe(100)
    expect(visit.scoreOf('best-practices')).toBe(100)
    expect(visit.valueOf('cumulative-layout-shift')).toBe(0)
  },
)
