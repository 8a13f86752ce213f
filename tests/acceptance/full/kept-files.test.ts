import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { createShare, openShare, publishShare, readFiles } from '../world/shares.ts'
import { verify } from '../world/verify.ts'

/** Expiry is looked for once a minute, and a busy machine takes its time. */
const untilCleanup = { timeout: 150_000, interval: 500 }

// One after the other they would wait for the same minute twice.
describe.concurrent.each(ownArrangements)('files outlive their share, %s', (arrangement) => {
  let floe: RunningFloe
  let owner: Client
  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    owner = await signUp(floe)
  })
  afterAll(() => floe?.stop())

  async function keepFor(hours: number): Promise<void> {
    const json = [{ key: 'share.fileRetentionPeriod', value: hours }]
    expect((await owner.send('PATCH', '/api/configs/admin', { json })).status).toBe(200)
  }
  async function endNow(id: string): Promise<void> {
    const json = { expiration: new Date(Date.now() + 500).toISOString() }
    expect((await owner.send('PATCH', `/api/shares/${id}`, { json })).status).toBe(200)
  }
  const isFree = async (id: string) => {
    const { body } = await owner.send('GET', `/api/shares/isShareIdAvailable/${id}`)
    return (body as { isAvailable: boolean }).isAvailable
  }
  const lineOfVerify = async () => (await verify(floe.dataDirectory, '--deep')).lines.join('\n')

  test('while the period lasts, through every cleanup, and not a minute longer', async () => {
    await keepFor(1)
    const { id } = await publishShare(owner, { 'a.txt': 'a', 'b.txt': 'b' })
    const draft = await createShare(owner)
    await endNow(id)
    await endNow(draft)
    // A draft goes with its end: by then that of the share was looked at too.
    await vi.waitFor(async () => expect(await isFree(draft)).toBe(true), untilCleanup)
    expect(await isFree(id)).toBe(false)
    expect(await lineOfVerify()).toBe('checked 2 files, 2 objects: no differences')

    const json = { expiration: '1-hour' }
    expect((await owner.send('PATCH', `/api/shares/${id}`, { json })).status).toBe(200)
    const visitor = createClient(floe.url)
    await openShare(visitor, id)
    expect(await readFiles(visitor, id)).toEqual({ 'a.txt': 'a', 'b.txt': 'b' })

    await endNow(id)
    await keepFor(0)
    await vi.waitFor(async () => expect(await isFree(id)).toBe(true), untilCleanup)
    await vi.waitFor(
      async () => expect(await lineOfVerify()).toBe('checked 0 files, 0 objects: no differences'),
      untilCleanup,
    )
  }, 400_000)
})
