import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { download, unzip } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const run = promisify(execFile)
const files = { 'Contract.txt': 'signed', 'Annex/Übersicht.csv': 'a;b\n' }
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

const journey = useJourney()
let owner: Visitor
let shareId: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  shareId = await makeShare(owner.context.request, { name: 'Contract', files })
})
test('a visitor copies the digest of a file', async () => {
  const { page, context, open, leave } = await journey.visit()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(`/s/${shareId}`)
  await page.getByRole('button', { name: 'Details of Contract.txt' }).click()
  const details = page.getByRole('dialog', { name: 'File details' })
  await details.getByText('6 B (6 bytes)').waitFor()
  await details.getByRole('button', { name: 'Copy SHA-256' }).click()
  await details.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digestOf('signed'))
  await leave()
})

test('what a visitor downloads passes the checksums of the share', async () => {
  const { page, open, leave } = await journey.visit()
  await open(`/s/${shareId}`)
  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  const sums = await download(page, page.getByRole('link', { name: 'Checksums (SHA256SUMS)' }))
  expect(sums.name).toBe('SHA256SUMS')
  const unpacked = join(journey.folder, 'unpacked')
  await unzip(archive.path, unpacked)
  await copyFile(sums.path, join(unpacked, 'SHA256SUMS'))
  const { stdout } = await run('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: unpacked })
  expect(stdout.match(/: OK$/gm)).toHaveLength(2)
  await leave()
})

test('the owner sees the digests while editing', async () => {
  const { page, open } = owner
  await open(`/share/${shareId}/edit`)
  await page.getByRole('button', { name: 'Details of Annex/Übersicht.csv' }).click()
  const details = page.getByRole('dialog', { name: 'File details' })
  await details.getByText(digestOf('a;b\n')).waitFor()
})
