import { createHash, randomBytes } from 'node:crypto'
import { createRandom, type Random, startFaultProxy } from '@floe/testing'
import * as tus from 'tus-js-client'
import { expect, test } from 'vitest'
import { signUp } from './world/accounts.ts'
import { onBothArrangements } from './world/arrangements.ts'
import { type Client, createClient } from './world/http-client.ts'
import { completeShare, createShare, openShare } from './world/shares.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

onBothArrangements('connections that break at any byte', (floe) => {
  const seeds = Array.from({ length: 10 }, (_, index) => 1_000 + index)

  test.each(seeds)('seed %i: a resuming client ends with the very same file', async (seed) => {
    const random = createRandom(seed)
    const owner = await signUp(floe)
    const shareId = await createShare(owner)
    const content = randomBytes(random.between(200_000, 3_000_000))
    const proxy = await startFaultProxy({ target: floe.url, random, longestBytes: 600_000 })
    try {
      await upload(proxy.url, owner, shareId, content, random)
      expect(proxy.faults).toBeGreaterThan(0)
    } finally {
      await proxy.close()
    }
    await completeShare(owner, shareId)
    const visitor = createClient(floe.url)
    await openShare(visitor, shareId)
    const share = await visitor.send('GET', `/api/shares/${shareId}`)
    const { files } = share.body as { files: { id: string }[] }
    expect(files).toHaveLength(1)
    const file = await visitor.send('GET', `/api/shares/${shareId}/files/${files[0]?.id ?? ''}`)
    expect(sha256(file.bytes)).toBe(sha256(content))
  })
})

function upload(
  url: string,
  owner: Client,
  shareId: string,
  content: Buffer,
  random: Random,
): Promise<void> {
  const isChunked = random.chance(0.5)
  return new Promise((resolve, reject) => {
    new tus.Upload(content, {
      endpoint: `${url}/api/uploads`,
      headers: { Cookie: owner.cookies.header('/api/uploads') },
      metadata: { shareId, filename: 'file.bin' },
      uploadLengthDeferred: isChunked && random.chance(0.5),
      ...(isChunked && { chunkSize: random.between(50_000, 400_000) }),
      retryDelays: Array.from({ length: 100 }, () => 10),
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
}
