import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { mountMemory, unmount } from '../world/faulty-disk.ts'
import { type HttpResponse, type Client, createClient } from '../world/http-client.ts'
import { codeOf, completeShare, newShareId, publishShare, sendChunk } from '../world/shares.ts'

const roomMegabytes = 192
/** Enough for every table to need another page. */
const mostRequests = 3_000

// Its database has a disk of its own, which is full on purpose: a Floe of its own.
describe.each(ownArrangements)('a database without room, %s', (arrangement) => {
  let floe: RunningFloe
  let owner: Client
  let directory: string
  beforeAll(async () => {
    floe = await startFloe({
      arrangement,
      prepare: async (dataDirectory) => {
        directory = join(dataDirectory, 'postgres')
        await mkdir(directory, { mode: 0o700 })
        await mountMemory(directory, roomMegabytes)
      },
    })
    owner = await signUp(floe)
  })
  afterAll(async () => {
    // A database whose disk is gone is found by nobody who would end it.
    await floe?.kill()
    if (directory !== undefined) await unmount(directory)
    await floe?.stop()
  })

  function create(id: string): Promise<HttpResponse> {
    const json = { id, description: 'x'.repeat(512), expiration: '1-day', recipients: [] }
    return owner.send('POST', '/api/shares', { json })
  }

  test('is an outage to who writes and none to who reads, and over once there is room', async () => {
    const { id, fileIds } = await publishShare(owner, { 'kept.txt': 'kept' })
    const unfinished = newShareId()
    expect((await create(unfinished)).status).toBe(201)
    const filler = join(directory, 'filler')
    await fillUp(filler)

    const made: string[] = []
    let refused: { id: string; response: HttpResponse } | undefined
    while (refused === undefined && made.length < mostRequests) {
      const next = newShareId()
      const response = await create(next)
      if (response.status === 201) made.push(next)
      else refused = { id: next, response }
    }
    expectOutage(refused?.response)
    for (let turn = 0; turn < 20; turn += 1) {
      const response = await create(newShareId())
      if (response.status !== 201) expectOutage(response)
    }
    const account = newAccount()
    const signedUp = await createClient(floe.url).send('POST', '/api/auth/signUp', {
      json: account,
    })
    if (signedUp.status !== 201) expectOutage(signedUp)
    const sent = await sendChunk(owner, unfinished, { name: 'unsure.txt' }, 'whole')
    if (sent.status !== 201) expectOutage(sent)

    const file = await owner.send('GET', `/api/shares/${id}/files/${fileIds[0]}`)
    expect(file).toMatchObject({ status: 200, text: 'kept' })
    expect((await owner.send('GET', '/api/health')).status).toBe(200)

    await rm(filler)
    const { id: missed = '' } = refused ?? {}
    await expect.poll(async () => (await create(missed)).status, { timeout: 60_000 }).toBe(201)
    for (const one of [made[0], made.at(-1), missed]) {
      const found = await owner.send('GET', `/api/shares/${one}/from-owner`)
      expect(found).toMatchObject({ status: 200, body: { state: 'open', files: [] } })
    }
    const again = await sendChunk(owner, unfinished, { name: 'again.txt' }, 'whole')
    expect(again.status, again.text).toBe(201)
    await completeShare(owner, unfinished)
    const listing = await owner.send('GET', `/api/shares/${unfinished}/from-owner`)
    const { files } = listing.body as { files: { name: string; size: string }[] }
    const names = sent.status === 201 ? ['again.txt', 'unsure.txt'] : ['again.txt']
    expect(files.map(({ name }) => name).sort()).toEqual(names)
    expect(files.map(({ size }) => size)).toEqual(names.map(() => '5'))
  })
})

function expectOutage(response: HttpResponse | undefined): void {
  expect(response?.status, response?.text).toBe(502)
  expect(response && codeOf(response)).toBe('upstream_unavailable')
  expect(Number(response?.headers['retry-after'])).toBeGreaterThan(0)
}

/** Until not a page more fits. */
async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (const piece of [Buffer.alloc(1_000_000), Buffer.alloc(4_096)]) {
      const filled = (async () => {
        for (;;) await file.write(piece)
      })()
      await expect(filled).rejects.toMatchObject({ code: 'ENOSPC' })
    }
  } finally {
    await file.close()
  }
}
