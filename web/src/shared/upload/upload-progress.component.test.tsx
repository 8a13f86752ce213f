// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type Page, renderPage } from '../../testing/render-page.tsx'
import { scriptUpload, scriptUploadOf } from '../../testing/scripted-upload.ts'
import { UploadProgress } from './UploadProgress.tsx'

async function renderUpload(...names: string[]) {
  const { job, ...script } = scriptUpload(...names)
  const page = await renderPage(<UploadProgress job={job} />)
  return { page, ...script }
}

function rowOf(page: Page, name: string) {
  const row = page.getByText(name).closest('li')
  if (!row) throw new Error(`no row ${name}`)
  return within(row)
}

it('shows how far each file is, and all of them together', async () => {
  const { page, eventsOf } = await renderUpload('a.txt', 'b.txt')
  eventsOf('a.txt').onProgress(500)
  await page.findByText('500 B of 2 kB')
  expect(rowOf(page, 'a.txt').getByText('50% of 1 kB')).toBeTruthy()
  expect(rowOf(page, 'b.txt').getByText('0% of 1 kB')).toBeTruthy()
  expect(page.getByText('0 of 2 files uploaded')).toBeTruthy()
})

it('lets only so many files run, and says that the others wait', async () => {
  const { job } = scriptUploadOf(2_000_000, 'a', 'b', 'c', 'd', 'e', 'f')
  const page = await renderPage(<UploadProgress job={job} />)
  await page.findByRole('button', { name: 'Pause e' })
  const row = within(await page.findByText('f').then((name) => name.closest('li') ?? name))
  await row.findByText('Waiting, 2 MB')
  expect(row.queryByRole('button', { name: 'Pause f' })).toBeNull()
  expect(row.getByRole('button', { name: 'Cancel f' })).toBeTruthy()
})

it('pauses one file and resumes it', async () => {
  const { page, eventsOf, log } = await renderUpload('a.txt')
  eventsOf('a.txt').onProgress(250)
  await page.user.click(await page.findByRole('button', { name: 'Pause a.txt' }))
  await page.findByText('Paused at 25% of 1 kB')
  await page.press('Resume a.txt')
  await page.findByText('25% of 1 kB')
  expect(log).toEqual(['start a.txt', 'pause a.txt', 'resume a.txt'])
})

it('pauses and resumes all of them', async () => {
  const { page, log } = await renderUpload('a', 'b')
  await page.press('Pause all')
  await page.user.click(await page.findByRole('button', { name: 'Resume all' }))
  await page.findByRole('button', { name: 'Pause all' })
  expect(log.slice(2)).toEqual(['pause a', 'pause b', 'resume a', 'resume b'])
})

it('says that a connection is lost, and that it tries again', async () => {
  const { page, eventsOf } = await renderUpload('a.txt')
  eventsOf('a.txt').onProgress(300)
  eventsOf('a.txt').onRetry()
  await page.findByText('Connection lost at 30% of 1 kB, trying again')
  eventsOf('a.txt').onProgress(400)
  await page.findByText('40% of 1 kB')
})

it.each([
  ['gone', /^The server no longer has this upload/],
  ['tooLarge', 'This file exceeds the maximum share size.'],
  ['shareGone', 'This share has been deleted, so nothing can be sent to it any more.'],
  ['nameTooLong', 'The name of this file is too long.'],
  ['quotaExceeded', 'There is not enough storage left for this file.'],
  ['storageFull', 'There is not enough space on the server.'],
  ['refused', 'The server does not accept this file.'],
  ['refusedByProxy', 'A proxy in front of the server refuses requests of this size.'],
  ['unreadable', /^The file cannot be read/],
  ['unknown', 'The upload failed.'],
] as const)('says at a file that failed why: %s', async (reason, text) => {
  const { page, eventsOf } = await renderUpload('a.txt', 'b.txt')
  eventsOf('a.txt').onFailure(reason)
  await page.findByText(text)
  expect(page.getByRole('button', { name: 'Retry a.txt' })).toBeTruthy()
})

it('sends a file that failed again at a click', async () => {
  const { page, eventsOf, log } = await renderUpload('a.txt', 'b.txt')
  eventsOf('a.txt').onFailure('unknown')
  await page.user.click(await page.findByRole('button', { name: 'Retry a.txt' }))
  await page.findByRole('button', { name: 'Pause a.txt' })
  expect(log).toEqual(['start a.txt', 'start b.txt', 'start a.txt'])
})

it('takes a cancelled file off the list, and ends its transfer', async () => {
  const { page, log } = await renderUpload('a.txt', 'b.txt')
  await page.press('Cancel a.txt')
  await expect.poll(() => page.queryByText('a.txt')).toBeNull()
  expect(log.at(-1)).toBe('cancel a.txt')
  expect(page.getByText('0 of 1 file uploaded')).toBeTruthy()
})

it('marks a file that is done, which cannot be cancelled any more', async () => {
  const { page, eventsOf } = await renderUpload('a.txt', 'b.txt')
  eventsOf('a.txt').onDone()
  await page.findByText('1 of 2 files uploaded')
  const row = rowOf(page, 'a.txt')
  expect(row.getByLabelText('Uploaded')).toBeTruthy()
  expect(row.queryByRole('button')).toBeNull()
})
