import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reserveMinioServer, type RunningFloe, type S3Server, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, newAccount, signIn, signUp } from '../world/accounts.ts'
import { runCommand } from '../world/command.ts'
import type { Client } from '../world/http-client.ts'
import { createShare, openShare, publishShare, type PublishedShare } from '../world/shares.ts'
import { append, beginUpload, offsetOf } from '../world/tus.ts'

const mebibyte = 1024 * 1024
const contents = [randomBytes(1), randomBytes(300_000), randomBytes(9_000_000)]
const large = randomBytes(21 * mebibyte)

// Killed, and its storage with it: a Floe of its own.
describe('an installation with its objects in S3', () => {
  let minio: S3Server
  let floe: RunningFloe
  let owner: Client
  let published: PublishedShare
  let directory: string
  const account: Account = newAccount()

  const inBucket = (bucket: string) => ({
    S3_ENDPOINT: minio.endpoint,
    S3_ACCESS_KEY: minio.accessKey,
    S3_SECRET_KEY: minio.secretKey,
    S3_BUCKET: bucket,
  })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'floe-s3-'))
    minio = await reserveMinioServer()
    await minio.start()
    floe = await startFloe({ arrangement: 'embedded', environment: inBucket('floe') })
    owner = await signUp(floe, account)
    const files = contents.map((content, index) => [`file ${index}.bin`, content] as const)
    published = await publishShare(owner, Object.fromEntries(files))
  })
  afterAll(async () => {
    await floe?.stop()
    await minio?.remove()
    await rm(directory, { recursive: true, force: true })
  })

  const verify = (environment: { DATA_DIR: string } & Record<string, string>) =>
    runCommand('verify', environment, '--deep')
  const clean = {
    code: 0,
    errors: '',
    lines: [expect.stringMatching(/: no differences$/)],
  }

  async function expectContents(client: Client): Promise<void> {
    await openShare(client, published.id)
    for (const [index, fileId] of published.fileIds.entries()) {
      const file = await client.send('GET', `/api/shares/${published.id}/files/${fileId}`)
      expect(file.bytes.equals(contents[index] ?? Buffer.alloc(0))).toBe(true)
    }
  }

  test('gives back what it took, and keeps no file of its own', async () => {
    await expectContents(owner)
    expect(existsSync(join(floe.dataDirectory, 'objects'))).toBe(false)
  })

  test('goes on with every acknowledged byte after all its processes were killed', async () => {
    const shareId = await createShare(owner)
    const path = await beginUpload(owner, {
      shareId,
      filename: 'large.bin',
      lengthBytes: large.length,
    })
    let offset = 0
    for (const end of [1, 5 * mebibyte, 9 * mebibyte, 17 * mebibyte + 5, large.length]) {
      const response = await append(owner, path, offset, large.subarray(offset, end))
      expect(response.status).toBe(204)
      await floe.kill()
      await floe.restart()
      owner = await signIn(floe.url, account)
      if (end === large.length) break
      offset = await offsetOf(owner, path)
      expect(offset).toBe(end)
    }
    await owner.send('POST', `/api/shares/${shareId}/complete`, { json: {} })
    await openShare(owner, shareId)
    const share = (await owner.send('GET', `/api/shares/${shareId}`)).body as {
      files: { id: string }[]
    }
    const file = await owner.send('GET', `/api/shares/${shareId}/files/${share.files[0]?.id}`)
    expect(file.bytes.equals(large)).toBe(true)
    expect(await verify({ DATA_DIR: floe.dataDirectory, ...inBucket('floe') })).toEqual(clean)
  }, 180_000)

  test('moves from S3 to files and back by backup and restore', async () => {
    const [first, second] = [join(directory, 'first'), join(directory, 'second')]
    const source = { DATA_DIR: floe.dataDirectory, ...inBucket('floe') }
    expect(await runCommand('backup', source, first)).toMatchObject({ code: 0, errors: '' })

    const onDisk = { DATA_DIR: join(directory, 'on disk') }
    expect(await runCommand('restore', onDisk, first)).toMatchObject({ code: 0, errors: '' })
    expect(await verify(onDisk)).toEqual(clean)
    expect(await runCommand('backup', onDisk, second)).toMatchObject({ code: 0, errors: '' })

    const moved = { DATA_DIR: join(directory, 'moved'), ...inBucket('moved') }
    expect(await runCommand('restore', moved, second)).toMatchObject({ code: 0, errors: '' })
    expect(await verify(moved)).toEqual(clean)
    const again = await runCommand('restore', moved, second)
    expect(again.errors).toMatch(/^Nothing was restored: this installation is not empty/)
  }, 180_000)

  test('never shares a bucket: another installation neither starts nor is restored in it', async () => {
    const source = { DATA_DIR: floe.dataDirectory, ...inBucket('floe') }
    await expect(
      startFloe({ arrangement: 'embedded', environment: inBucket('floe') }),
    ).rejects.toThrow(/The bucket floe belongs to another installation of Floe: set S3_BUCKET/)
    const other = { DATA_DIR: join(directory, 'other'), ...inBucket('floe') }
    const restored = await runCommand('restore', other, join(directory, 'first'))
    expect(restored).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^Nothing was restored: .*another installation/),
    })
    expect(await verify(source)).toEqual(clean)
  }, 60_000)

  test('says at its start what is wrong with S3', async () => {
    const wrong = { ...inBucket('floe'), S3_SECRET_KEY: 'another' }
    await expect(startFloe({ arrangement: 'embedded', environment: wrong })).rejects.toThrow(
      /rejects S3_SECRET_KEY/,
    )
    const half = { S3_ENDPOINT: minio.endpoint }
    await expect(startFloe({ arrangement: 'embedded', environment: half })).rejects.toThrow(
      /S3_BUCKET: is required with S3_ENDPOINT/,
    )
  })
})
