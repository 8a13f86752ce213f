import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DetailedError } from 'tus-js-client'
import { expect, onTestFinished, test } from 'vitest'
import { hashesOf, writeRandomFile } from '../e2e/harness/files.ts'
import { startLimitingProxy, type LimitingProxyOptions } from '../e2e/harness/limiting-proxy.ts'
import { signUp } from './world/accounts.ts'
import { makeToken } from './world/api-tokens.ts'
import { onOneArrangement } from './world/arrangements.ts'
import { installCommandLine } from './world/cli.ts'
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

const ways: [string, string | undefined, LimitingProxyOptions][] = [
  ['refuses more than 1 MB', undefined, {}],
  ['cuts the connection of more than 1 MB', undefined, { isSilent: true }],
]

onOneArrangement('embedded', 'the command line behind nginx', (floe) => {
  test.each(ways)('that %s sends large and small files whole', async (_, mostBody, options) => {
    const proxy = await startLimitingProxy(floe.url, mostBody, options)
    onTestFinished(() => proxy.stop())
    const cli = await installCommandLine()
    onTestFinished(() => cli.remove())
    const { token } = await makeToken(await signUp(floe))
    const env = { FLOE_SERVER: proxy.url, FLOE_TOKEN: token }
    await mkdir(join(cli.folder, 'mixed'))
    const sizes = [SIZE_BYTES, ...Array.from({ length: 12 }, (_file, index) => 200_000 + index)]
    const names = sizes.map((sizeBytes) => `mixed/${sizeBytes}.bin`)
    for (const [index, sizeBytes] of sizes.entries()) {
      await writeRandomFile(join(cli.folder, names[index] ?? ''), {
        sizeBytes,
        seed: names[index] ?? '',
      })
    }
    const sent = await cli.run(['send', 'mixed'], { env })
    expect(sent.code, sent.stderr).toBe(0)
    const got = await cli.run(['get', sent.stdout.trim(), '-o', 'received'], { env })
    expect(got.code, got.stderr).toBe(0)
    const received = names.map((name) => join('received', name))
    expect(await hashesOf(cli.folder, received)).toEqual(await hashesOf(cli.folder, names))
  })

  test('that refuses even 64 kB is named as what is in the way', async () => {
    const proxy = await startLimitingProxy(floe.url, '50k')
    onTestFinished(() => proxy.stop())
    const cli = await installCommandLine()
    onTestFinished(() => cli.remove())
    const { token } = await makeToken(await signUp(floe))
    await writeRandomFile(join(cli.folder, 'a.bin'), { sizeBytes: SIZE_BYTES, seed: 'a' })
    const env = { FLOE_SERVER: proxy.url, FLOE_TOKEN: token }
    const { code, stderr } = await cli.run(['send', 'a.bin'], { env })
    expect(code).toBe(1)
    expect(stderr).toContain('A proxy in front of the server refuses requests, even of 64 kB.')
  })
})
