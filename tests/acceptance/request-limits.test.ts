import { DetailedError } from 'tus-js-client'
import { expect, onTestFinished, test } from 'vitest'
import { startLimitingProxy, type LimitingProxyOptions } from '../e2e/harness/limiting-proxy.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { uploadThrough } from './world/limited-uploads.ts'
import { requestLimitOptions } from './world/request-limit-options.ts'

const SIZE_BYTES = 5_000_003

onOneArrangement('embedded', 'tus-js-client behind nginx that limits requests', (floe) => {
  async function start(mostBody?: string, options?: LimitingProxyOptions): Promise<string> {
    const proxy = await startLimitingProxy(floe.url, mostBody, options)
    onTestFinished(() => proxy.stop())
    return proxy.url
  }

  test('finds out that it takes 1 MB with the options of the guide', async () => {
    const url = await start()
    const { refusals, upload } = await uploadThrough(url, floe, {
      sizeBytes: SIZE_BYTES,
      options: requestLimitOptions,
    })
    expect(refusals).toBeGreaterThan(1)
    expect(upload.options.chunkSize).toBe(781_250)
  })

  test('is refused nothing with a chunk size below the limit', async () => {
    const url = await start()
    const { refusals } = await uploadThrough(url, floe, {
      sizeBytes: SIZE_BYTES,
      options: { chunkSize: 1_000_000 },
    })
    expect(refusals).toBe(0)
  })

  test('gives up with the 413 of a proxy that refuses even 64 kB', async () => {
    const url = await start('50k')
    const uploaded = uploadThrough(url, floe, {
      sizeBytes: SIZE_BYTES,
      options: requestLimitOptions,
    })
    const error = await uploaded.catch((reason: unknown) => reason)
    if (!(error instanceof DetailedError)) throw error
    expect(error.originalResponse?.getStatus()).toBe(413)
    expect(error.originalResponse?.getHeader('X-Error-Code')).toBeUndefined()
    expect(error.originalRequest.getHeader('Upload-Offset')).toBe('0')
    expect(error.message).toContain('response code: 413')
  })
})
