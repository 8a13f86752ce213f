import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { reserveMinioServer, type RunningFloe, type S3Server, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand, startCommand } from '../../world/command.ts'
import { createClient } from '../../world/http-client.ts'
import { dataOf, files, sharesOf } from '../../world/pingvin-data.ts'
import { usePingvin } from '../../world/pingvin.ts'
import { openShare } from '../../world/shares.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('an import into an installation with its objects in S3', () => {
  let minio: S3Server
  let floe: RunningFloe
  const write = usePingvin()
  const bucket = () => ({
    S3_ENDPOINT: minio.endpoint,
    S3_ACCESS_KEY: minio.accessKey,
    S3_SECRET_KEY: minio.secretKey,
    S3_BUCKET: 'floe',
  })

  beforeAll(async () => {
    minio = await reserveMinioServer()
    await minio.start()
    floe = await startFloe({ arrangement: 'embedded', environment: bucket() })
  })
  afterAll(async () => {
    await floe?.stop()
    await minio?.remove()
  })

  test('copies every file there, also where links were asked for, and goes on after a kill', async () => {
    const rich = dataOf('A')
    const many = sharesOf('bucket', 120, 10_000)
    const source = await write({
      version: 'A',
      rows: {
        ...rich.rows,
        Share: [...(rich.rows.Share ?? []), ...(many.rows.Share ?? [])],
        File: [...(rich.rows.File ?? []), ...(many.rows.File ?? [])],
      },
      files: { ...rich.files, ...many.files },
    })
    const environment = { DATA_DIR: floe.dataDirectory, ...bucket() }
    const args = ['pingvin', source, '--link'] as const
    const visitor = createClient(floe.url)
    const killed = startCommand('import', environment, ...args)
    const ended = once(killed, 'close')
    await vi.waitFor(async () => {
      expect((await openShare(visitor, 'bucket-0')).status).toBe(200)
    }, 60_000)
    killed.kill('SIGKILL')
    await ended

    expect(await runCommand('import', environment, ...args)).toMatchObject({ code: 1, errors: '' })
    await openShare(visitor, 'Holiday_2024', 'share password')
    for (const { id, content } of files) {
      const { bytes } = await visitor.send('GET', `/api/shares/Holiday_2024/files/${id}`)
      expect(sha256(bytes)).toBe(sha256(content))
    }
    const { lines } = await runCommand('verify', environment, '--deep')
    const count = files.length + 120 + 1
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^checked ${count} files, .*: no differences$`)),
    ])
  })
})
