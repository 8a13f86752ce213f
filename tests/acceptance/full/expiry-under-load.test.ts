import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signUp } from '../world/accounts.ts'
import { ownArrangements } from '../world/arrangements.ts'
import { archivePath, openBody } from '../world/archives.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { addFile, codeOf, completeShare, createShare, openShare } from '../world/shares.ts'
import { append, beginUpload } from '../world/tus.ts'
import { verify } from '../world/verify.ts'

const VISITORS = 20
/** More than the system takes from a server whose client reads nothing. */
const big = randomBytes(24 * 1024 * 1024)
/** Expiry is looked for once a minute, and a busy machine takes its time. */
const CLEANUP_MS = 150_000

interface Transfer {
  visitor: Client
  path: string
  response: IncomingMessage
}

// One after the other they would wait for the same minute twice.
describe.concurrent.each(ownArrangements)('a share expires under load, %s', (arrangement) => {
  let floe: RunningFloe
  let owner: Client
  let shareId: string
  let paths: string[]
  beforeAll(async () => {
    floe = await startFloe({ arrangement })
    owner = await signUp(floe)
    shareId = await createShare(owner)
    const upload = { shareId, filename: 'big.bin', lengthBytes: big.length }
    const uploadPath = await beginUpload(owner, upload)
    expect((await append(owner, uploadPath, 0, big)).status).toBe(204)
    for (const name of ['one.txt', 'two.txt', 'z/last.txt']) {
      await addFile(owner, shareId, name, `content of ${name}`)
    }
    await completeShare(owner, shareId)
    const listed = await owner.send('GET', `/api/shares/${shareId}/from-owner`)
    const files = (listed.body as { files: { id: string; name: string }[] }).files
    const bigId = files.find(({ name }) => name === 'big.bin')?.id
    paths = [archivePath(shareId), `/api/shares/${shareId}/files/${bigId}`]
  })
  afterAll(() => floe?.stop())

  async function beginTransfer(index: number): Promise<Transfer> {
    const visitor = createClient(floe.url)
    expect((await openShare(visitor, shareId)).status).toBe(200)
    const path = paths[index % paths.length] ?? ''
    const response = await openBody(visitor, path)
    expect(response.statusCode).toBe(200)
    return { visitor, path, response }
  }

  async function digestOf(response: IncomingMessage): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of response) hash.update(chunk as Buffer)
    expect(response.complete).toBe(true)
    return hash.digest('hex')
  }

  const isIdFree = async () => {
    const response = await owner.send('GET', `/api/shares/isShareIdAvailable/${shareId}`)
    return (response.body as { isAvailable: boolean }).isAvailable
  }
  const lineOfVerify = async () => (await verify(floe.dataDirectory, '--deep')).lines.join('\n')

  test('running transfers end byte for byte, new ones are refused on the second, nothing is left', async () => {
    const digests = new Map<string, string>()
    for (const path of paths) digests.set(path, await digestOf(await openBody(owner, path)))
    const transfers = await Promise.all(
      Array.from({ length: VISITORS }, (_, n) => beginTransfer(n)),
    )
    const etags = transfers.map(({ response }) => response.headers.etag ?? '')

    const expiresAt = Date.now() + 2_000
    const patched = await owner.send('PATCH', `/api/shares/${shareId}`, {
      json: { expiration: new Date(expiresAt).toISOString() },
    })
    expect(patched.status, patched.text).toBe(200)
    await expectRefusedFrom(expiresAt, transfers)
    for (const [index, { visitor, path }] of transfers.entries()) {
      const headers = { Range: 'bytes=1000-', 'If-Range': etags[index] ?? '' }
      const resumed = await visitor.send('GET', path, { headers })
      expect([resumed.status, codeOf(resumed)]).toEqual([404, 'share_not_found'])
    }

    // The share's row is gone, and the job that removes the rest has had its turn.
    const untilCleanup = { timeout: CLEANUP_MS, interval: 500 }
    await vi.waitFor(async () => expect(await isIdFree()).toBe(true), untilCleanup)
    expect(await lineOfVerify()).toBe('checked 4 files, 4 objects: no differences')

    const ended = await Promise.all(transfers.map(({ response }) => digestOf(response)))
    expect(ended).toEqual(transfers.map(({ path }) => digests.get(path)))
    await vi.waitFor(
      async () => expect(await lineOfVerify()).toBe('checked 0 files, 0 objects: no differences'),
      untilCleanup,
    )
  }, 400_000)

  /** Asks all the time: what is asked before gets a response, what is asked afterwards gets none. */
  async function expectRefusedFrom(expiresAt: number, transfers: readonly Transfer[]) {
    let responses = 0
    for (let turn = 0; ; turn += 1) {
      const { visitor, path } = transfers[turn % transfers.length] ?? { visitor: owner, path: '' }
      const askedAt = Date.now()
      const { status } = await visitor.send('HEAD', path)
      const respondedAt = Date.now()
      if (respondedAt < expiresAt) {
        expect(status).toBe(200)
        responses += 1
      }
      if (askedAt < expiresAt) continue
      expect(status).toBe(404)
      expect(responses).toBeGreaterThan(0)
      return
    }
  }
})
