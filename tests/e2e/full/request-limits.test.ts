import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCuttingProxy } from '../harness/cutting-proxy.ts'
import { openEncrypting } from '../harness/encrypted.ts'
import { download, hashFile, writeRandomFile } from '../harness/files.ts'
import { type LimitingProxy, startLimitingProxy } from '../harness/limiting-proxy.ts'
import { beginShare, finishShare } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const SIZE_BYTES = 300_000_000
const journey = useJourney()

type StartProxy = (floeUrl: string) => Promise<LimitingProxy>

const limits: [string, StartProxy][] = [
  ['nginx as it comes, which takes 1 MB', (url) => startLimitingProxy(url)],
  ['one that takes 10 MB', (url) => startLimitingProxy(url, '10m')],
  ['one that takes what Cloudflare does', (url) => startLimitingProxy(url, '100m')],
  [
    'one that closes the connection of a request above 100 MB',
    (url) => startLimitingProxy(url, '100m', { isSilent: true }),
  ],
  ['one that cuts a connection after 100 MB', (url) => startCuttingProxy(url, 100_000_000)],
]

interface Sending {
  start: StartProxy
  sizeBytes: number
  isEncrypted?: boolean
}

/** Sends a file through a proxy and has it back, byte for byte. */
async function sendThrough({ start, sizeBytes, isEncrypted = false }: Sending): Promise<void> {
  const proxy = await start(journey.floe.url)
  const path = /^\/api\/uploads\//
  // After a cut, the page may be faster than the request that was cut is over.
  const statuses = [413, 423, 409].map((status) => ({ path, status }))
  journey.problems.expectRefusals(...statuses, { path })
  const member = await journey.visitAsMember({ baseURL: proxy.url })
  const { page } = member
  try {
    const file = join(journey.folder, 'film.bin')
    await writeRandomFile(file, { sizeBytes, seed: proxy.url })
    if (isEncrypted) await openEncrypting(page)
    await beginShare(page, { files: [file], link: `film-${randomUUID().slice(0, 8)}` })
    await page.goto(await finishShare(page, 250_000))
    const saved = await download(page, page.getByRole('link', { name: /^Download/ }).first())
    expect(saved.sha256).toBe(await hashFile(file))
  } finally {
    await member.leave()
    await proxy.stop()
  }
}

test.each(limits)(
  'a file of 300 MB gets through %s, byte for byte',
  { timeout: 300_000 },
  (_, start) => sendThrough({ start, sizeBytes: SIZE_BYTES }),
)

// Its blocks are as many whole segments as fit.
test.each(['1m', '3m'])('an encrypted file gets through one that takes %s', (mostBody) =>
  sendThrough({
    start: (url) => startLimitingProxy(url, mostBody),
    sizeBytes: 30_000_000,
    isEncrypted: true,
  }),
)
