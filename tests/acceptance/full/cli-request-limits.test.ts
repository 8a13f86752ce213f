import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashesOf, writeRandomFile } from '../../e2e/harness/files.ts'
import { startLimitingProxy, type LimitingProxyOptions } from '../../e2e/harness/limiting-proxy.ts'
import { signUp } from '../world/accounts.ts'
import { makeToken } from '../world/api-tokens.ts'
import { onOneArrangement } from '../world/arrangements.ts'
import { installCommandLine } from '../world/cli.ts'

const SIZE_BYTES = 5_000_003

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
