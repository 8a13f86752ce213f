import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reserveMinioServer, type S3Server } from '@floe/testing'
import { afterAll, expect, test } from 'vitest'
import { download, hashFile, writeRandomFile } from '../harness/files.ts'
import { makeShare } from '../harness/shares.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

let minio: S3Server
const journey = useOwnFloe(async () => {
  minio = await reserveMinioServer()
  await minio.start()
  return {
    environment: {
      S3_ENDPOINT: minio.endpoint,
      S3_PUBLIC_ENDPOINT: minio.endpoint.replace('127.0.0.1', 'localhost'),
      S3_ACCESS_KEY: minio.accessKey,
      S3_SECRET_KEY: minio.secretKey,
      S3_BUCKET: 'floe-people',
    },
  }
})

afterAll(() => minio?.remove())

test('a visitor saves a file straight from the bucket, looks at another, and stays on the page', async () => {
  const source = join(journey.folder, 'source.bin')
  const sha256 = await writeRandomFile(source, { sizeBytes: 9_000_000, seed: 'bucket' })
  const owner = await journey.visitAsMember()
  const shareId = await makeShare(owner.context.request, {
    name: 'Straight',
    files: { 'Übersicht 1.bin': await readFile(source), 'note.txt': 'read here' },
  })
  const { page, open, leave } = await journey.visit()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await open(`/s/${shareId}`)
  const saved = await download(page, page.getByRole('link', { name: 'Download Übersicht 1.bin' }))
  expect(saved.name).toBe('Übersicht 1.bin')
  expect(await hashFile(saved.path)).toBe(sha256)
  expect(new URL(page.url()).pathname).toBe(`/share/${shareId}`)
  expect(addresses.some((address) => address.includes('X-Amz-Signature'))).toBe(true)

  await page.getByRole('button', { name: 'Preview note.txt' }).click()
  await page.getByText('read here').waitFor()
  await leave()
  await owner.leave()
})
