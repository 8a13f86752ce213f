import { expect, onTestFinished, test } from 'vitest'
import { startCuttingProxy } from '../../e2e/harness/cutting-proxy.ts'
import { type LimitingProxy, startLimitingProxy } from '../../e2e/harness/limiting-proxy.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { uploadThrough } from '../world/limited-uploads.ts'
import { requestLimitOptions } from '../world/request-limit-options.ts'

const SIZE_BYTES = 300_000_000

interface Limit {
  start(floeUrl: string): Promise<LimitingProxy>
  chunkSize: number
}

const limits: [string, Limit][] = [
  [
    'nginx as it comes, which takes 1 MB',
    { start: (url) => startLimitingProxy(url), chunkSize: 1_000_000 },
  ],
  [
    'nginx that takes 10 MB',
    { start: (url) => startLimitingProxy(url, '10m'), chunkSize: 10_000_000 },
  ],
  [
    'nginx that closes the connection of a request above 10 MB',
    { start: (url) => startLimitingProxy(url, '10m', { isSilent: true }), chunkSize: 10_000_000 },
  ],
  [
    'a proxy that cuts a connection after 100 MB',
    { start: (url) => startCuttingProxy(url, 100_000_000), chunkSize: 90_000_000 },
  ],
]

onOneArrangement('embedded', '300 MB by tus-js-client, byte for byte', (floe) => {
  async function start(limit: Limit): Promise<string> {
    const proxy = await limit.start(floe.url)
    onTestFinished(() => proxy.stop())
    return proxy.url
  }

  test.each(limits)('with the options of the guide through %s', async (_what, limit) => {
    const url = await start(limit)
    const { upload } = await uploadThrough(url, floe, {
      sizeBytes: SIZE_BYTES,
      options: requestLimitOptions,
    })
    expect(upload.options.chunkSize).toBeGreaterThan(limit.chunkSize / 2)
  })

  test.each(limits)('with a chunk size below the limit through %s', async (_what, limit) => {
    const url = await start(limit)
    const { refusals } = await uploadThrough(url, floe, {
      sizeBytes: SIZE_BYTES,
      options: { chunkSize: limit.chunkSize },
    })
    expect(refusals).toBe(0)
  })

  test('without options through a proxy that cuts a connection after 100 MB', async () => {
    const proxy = await startCuttingProxy(floe.url, 100_000_000)
    onTestFinished(() => proxy.stop())
    await uploadThrough(proxy.url, floe, { sizeBytes: SIZE_BYTES, options: {} })
    // What has arrived until then is kept.
    expect(proxy.cuts()).toBeGreaterThanOrEqual(2)
    expect(proxy.cuts()).toBeLessThan(6)
  })
})
