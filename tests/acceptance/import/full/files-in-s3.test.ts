import { createHash, randomBytes } from 'node:crypto'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import {
  type PingvinData,
  reserveMinioServer,
  type RunningFloe,
  type S3Server,
  startFloe,
} from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../world/http-client.ts'
import { importPingvin, lossesOf, usePingvin } from '../../world/pingvin.ts'
import { openShare } from '../../world/shares.ts'
import { verify } from '../../world/verify.ts'

const MADE = Date.parse('2025-02-03T04:05:06.789Z')
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const idOf = (number: number) => `b7f1a0c2-1111-4222-8333-${String(number).padStart(12, '0')}`

const large = randomBytes(21_000_000)
/** By the id of the file: the name that its object has, and its bytes. */
const files = [
  { id: idOf(1), name: 'large.bin', content: large },
  { id: idOf(2), name: 'a b+ü%20🏖.txt', content: Buffer.from('sea') },
  { id: idOf(3), name: 'empty', content: Buffer.alloc(0) },
  { id: idOf(4), name: 'twice.txt', content: Buffer.from('last one') },
  { id: idOf(5), name: 'twice.txt', content: Buffer.from('last one') },
]

describe.each([
  ['B', '', ''],
  ['X', '/of/fork/', 'of/fork'],
] as const)('files in S3, version %s with the path "%s"', (version, bucketPath, folder) => {
  let minio: S3Server
  let floe: RunningFloe
  const write = usePingvin()

  beforeAll(async () => {
    minio = await reserveMinioServer()
    await minio.start()
    const { endpoint, accessKey, secretKey } = minio
    const client = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    })
    await client.send(new CreateBucketCommand({ Bucket: 'old-files' }))
    for (const { name, content } of files) {
      const Key = [folder, 'remote', name].filter((part) => part !== '').join('/')
      await client.send(new PutObjectCommand({ Bucket: 'old-files', Key, Body: content }))
    }
    client.destroy()
    floe = await startFloe({ arrangement: 'embedded' })
  })
  afterAll(async () => {
    await floe?.stop()
    await minio?.remove()
  })

  const dataOf = (changes: Record<string, string> = {}): PingvinData => {
    const share = { createdAt: MADE, expiration: 0, uploadLocked: 1 }
    const settings = {
      endpoint: minio.endpoint,
      region: 'us-east-1',
      bucketName: 'old-files',
      bucketPath,
      key: minio.accessKey,
      secret: minio.secretKey,
      ...changes,
    }
    return {
      version,
      rows: {
        Share: [
          { ...share, id: 'remote', storageProvider: 'S3' },
          { ...share, id: 'local', storageProvider: 'LOCAL' },
        ],
        File: [
          ...files.map(({ id, name, content }) => ({
            ...{ id, name, createdAt: MADE, shareId: 'remote', size: String(content.length) },
          })),
          { id: idOf(6), name: 'gone.txt', createdAt: MADE, shareId: 'remote', size: '4' },
          { id: idOf(7), name: 'here.txt', createdAt: MADE, shareId: 'local', size: '4' },
        ],
        Config: Object.entries(settings).map(([name, value], order) => ({
          ...{ category: 's3', name, value, type: 'string', order },
        })),
      },
      files: { [`local/${idOf(7)}`]: 'here' },
    }
  }

  test('a bucket that is not there is refused, and nothing is written', async () => {
    const source = await write(dataOf({ bucketName: 'no-such-bucket' }))
    const { code, errors } = await importPingvin(floe, source)
    expect(errors).toMatch(/^Nothing was imported: the bucket no-such-bucket in S3 cannot be read/)
    expect(code).toBe(2)
    expect((await openShare(createClient(floe.url), 'local')).status).toBe(404)
  })

  test('they are copied beside those of the disk, and what is missing is told', async () => {
    const source = await write(dataOf())
    const verdict = await importPingvin(floe, source, '--link')
    expect(verdict.errors).toBe('')
    expect(lossesOf(verdict).filter((line) => !line.startsWith('setting s3.'))).toEqual([
      'share remote: "gone.txt" has no bytes, and is left out',
      'share remote: 2 files called "twice.txt" are one in S3, and have its bytes',
    ])
    const visitor = createClient(floe.url)
    for (const [shareId, list] of [
      ['remote', files],
      ['local', [{ id: idOf(7), content: Buffer.from('here') }]],
    ] as const) {
      expect((await openShare(visitor, shareId)).status).toBe(200)
      for (const { id, content } of list) {
        const { bytes } = await visitor.send('GET', `/api/shares/${shareId}/files/${id}`)
        expect(sha256(bytes)).toBe(sha256(content))
      }
    }
    const { lines } = await verify(floe.dataDirectory, '--deep')
    expect(lines).toEqual([expect.stringMatching(/^checked 6 files, .*: no differences$/)])
  })

  test('without a name of the bucket only the files of the disk come, which is told', async () => {
    const source = await write(dataOf({ bucketName: '' }))
    const verdict = await importPingvin(floe, source, '--dry-run')
    expect(lossesOf(verdict)).toContain(
      'there are shares in S3, and no s3.bucketName: their files are left out',
    )
  })
})
