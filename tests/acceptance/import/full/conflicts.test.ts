import { type PingvinData, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn, signUp } from '../../world/accounts.ts'
import { createClient } from '../../world/http-client.ts'
import { ALICE, BOB, hashes, MADE, NEVER, sharesOf } from '../../world/pingvin-data.ts'
import { importPingvin, lossesOf, usePingvin } from '../../world/pingvin.ts'
import { openShare, publishShare } from '../../world/shares.ts'

describe('an import into an installation that has something', () => {
  let floe: RunningFloe
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
  })
  afterAll(() => floe?.stop())

  test('a taken name, address, link or token is refused, and then settled as it is asked', async () => {
    const own = await signUp(floe, {
      username: 'Dora',
      email: 'dora@example.org',
      password: 'own password',
    })
    await publishShare(own, { 'own.txt': 'own' }, { id: 'taken-link' })
    const user = { createdAt: MADE, updatedAt: MADE, password: hashes.alice }
    const share = { createdAt: MADE, expiration: NEVER, uploadLocked: 1, creatorId: ALICE }
    const data: PingvinData = {
      version: 'B',
      rows: {
        User: [
          { ...user, id: ALICE, username: 'dora', email: 'other@example.org' },
          { ...user, id: BOB, username: 'dorothea', email: 'Dora@example.org' },
        ],
        Share: [
          { ...share, id: 'taken-link' },
          { ...share, id: 'free-link', creatorId: BOB },
        ],
        File: ['taken-link', 'free-link'].map((shareId, index) => ({
          id: `f${index}`,
          createdAt: MADE,
          name: 'a.txt',
          size: '1',
          shareId,
        })),
      },
      files: { 'taken-link/f0': 'a', 'free-link/f1': 'b' },
    }
    const source = await write(data)
    const refused = await importPingvin(floe, source)
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('--on-conflict') })
    expect(refused.lines.filter((line) => line.startsWith('conflict: '))).toHaveLength(3)
    expect((await openShare(createClient(floe.url), 'free-link')).status).toBe(404)

    expect((await importPingvin(floe, source, '--on-conflict=rename')).code).toBe(1)
    await signIn(floe.url, { email: 'other@example.org', password: 'old password 1' })
    expect((await openShare(createClient(floe.url), 'taken-link-2')).status).toBe(200)
    // The account with that address has it.
    const list = await own.send('GET', '/api/shares')
    expect((list.body as { id: string }[]).map(({ id }) => id).toSorted()).toEqual([
      'free-link',
      'taken-link',
    ])
  })

  test('what comes replaces what has its link, where that is asked for', async () => {
    const own = await signUp(floe)
    await publishShare(own, { 'own.txt': 'own' }, { id: 'replaced' })
    const data = sharesOf('replaced', 1, 100)
    const [share] = data.rows.Share ?? []
    const [file] = data.rows.File ?? []
    const source = await write({
      version: 'A',
      rows: { Share: [{ ...share, id: 'replaced' }], File: [{ ...file, shareId: 'replaced' }] },
      files: { [`replaced/${String(file?.id)}`]: 'x'.repeat(100) },
    })
    const skipped = await importPingvin(floe, source, '--on-conflict=skip')
    expect(skipped.lines).toContain('loss: share replaced is left out: its link is taken here')
    expect((await importPingvin(floe, source, '--on-conflict=replace')).code).toBe(1)
    const visitor = createClient(floe.url)
    await openShare(visitor, 'replaced')
    const { bytes } = await visitor.send('GET', `/api/shares/replaced/files/${String(file?.id)}`)
    expect(bytes).toHaveLength(100)
    expect((await own.send('GET', '/api/shares')).body).toEqual([])
  })

  test('addresses there that differ in case alone are one account here, where that is settled', async () => {
    const user = { createdAt: MADE, updatedAt: MADE, password: hashes.alice }
    const [eve, EVE] = [
      '8a6f4a57-93a5-4a43-8b0f-0a8f4b1d2c01',
      '8a6f4a57-93a5-4a43-8b0f-0a8f4b1d2c02',
    ]
    const source = await write({
      version: 'B',
      rows: {
        User: [
          { ...user, id: eve, username: 'eve', email: 'eve@example.org' },
          { ...user, id: EVE, username: 'second', email: 'EVE@example.org' },
        ],
        Share: [
          { createdAt: MADE, expiration: NEVER, uploadLocked: 0, id: 'of-eve', creatorId: EVE },
        ],
      },
    })
    const refused = await importPingvin(floe, source)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.lines).toContain(
      'conflict: account second: EVE@example.org is the address of an account here',
    )
    const settled = await importPingvin(floe, source, '--on-conflict=skip')
    expect(lossesOf(settled)).toContain(
      'account second is left out: what it has belongs to eve here',
    )
  })
})
