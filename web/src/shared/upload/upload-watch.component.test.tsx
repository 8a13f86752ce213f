// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { scriptDraft, scriptUpload } from '../../testing/scripted-upload.ts'
import { UploadWatch } from './UploadWatch.tsx'

async function watch(...names: string[]) {
  const { job, eventsOf } = scriptUpload(...names)
  const titles: (string | null)[] = []
  const keepTitle = (title: string | null) => void titles.push(title)
  const page = await renderPage(<UploadWatch job={job} onTitle={keepTitle} />)
  return { page, eventsOf, title: () => titles.at(-1) }
}

function setConnection(isOnline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { value: isOnline, configurable: true })
  fireEvent(window, new Event(isOnline ? 'online' : 'offline'))
}

describe('an upload under way', () => {
  it('stands in the title with its percentage, and with its end', async () => {
    const { title, eventsOf } = await watch('film.mov')
    expect(title()).toBe('0% · s')
    eventsOf('film.mov').onProgress(379)
    await expect.poll(title).toBe('37% · s')
    eventsOf('film.mov').onDone()
    await expect.poll(title).toBe('Uploaded · s')
  })

  it('is told to screen readers by quarters, not by percents', async () => {
    const { page, title, eventsOf } = await watch('film.mov')
    const news = page.getByRole('status')
    const heard: string[] = []
    for (const percent of [10, 24, 25, 49, 51, 74, 90, 99]) {
      eventsOf('film.mov').onProgress(percent * 10)
      await expect.poll(title).toBe(`${percent}% · s`)
      if (heard.at(-1) !== news.textContent) heard.push(news.textContent)
    }
    eventsOf('film.mov').onDone()
    await expect.poll(() => news.textContent).toBe('Uploaded · s')
    expect(heard).toEqual(['', '25% · s', '50% · s', '75% · s'])
  })

  it('tells which file failed, and why', async () => {
    const { page, eventsOf } = await watch('a.txt', 'b.txt')
    eventsOf('b.txt').onFailure('tooLarge')
    await page.findByText('b.txt: This file exceeds the maximum share size.')
  })

  it('asks before the tab is closed also when all is sent but not shared', async () => {
    const { job, eventsOf } = scriptDraft('draft-1', 'film.mov')
    eventsOf('film.mov').onDone()
    await renderPage(<UploadWatch job={job} onTitle={() => undefined} />)
    const asks = () => {
      const closing = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(closing)
      return closing.defaultPrevented
    }
    expect(asks()).toBe(true)
    job.session.remove(['film.mov'])
    await expect.poll(asks).toBe(false)
  })

  it('asks before the tab is closed, and no more once it is done', async () => {
    const { title, eventsOf } = await watch('film.mov')
    const asks = () => {
      const closing = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(closing)
      return closing.defaultPrevented
    }
    expect(asks()).toBe(true)
    eventsOf('film.mov').onDone()
    await expect.poll(title).toBe('Uploaded · s')
    expect(asks()).toBe(false)
  })
})

describe('a connection that comes and goes', () => {
  // Queries of later tests would wait for it.
  afterEach(() => setConnection(true))

  it('is told while it is lost, and when it is back', async () => {
    const { page } = await watch('film.mov')
    setConnection(false)
    await page.findByText(/^Connection lost\. The upload resumes/)
    setConnection(true)
    await page.findByText('Connected again')
    await expect.poll(() => page.queryByText(/^Connection lost/)).toBeNull()
  })

  it('is not told a second time through the files that are tried again', async () => {
    const { page, eventsOf } = await watch('film.mov')
    setConnection(false)
    eventsOf('film.mov').onRetry()
    await page.findByText(/^Connection lost\. The upload resumes/)
    expect(page.queryByText(/failed to upload, trying again$/)).toBeNull()
  })

  it('tells how many files are tried again while the browser knows of no loss', async () => {
    const { page, eventsOf } = await watch('film.mov')
    eventsOf('film.mov').onRetry()
    await page.findByText('1 file failed to upload, trying again')
    eventsOf('film.mov').onProgress(10)
    await expect.poll(() => page.queryByText(/trying again$/)).toBeNull()
  })
})
