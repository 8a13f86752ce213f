import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeFilm } from '../harness/film.ts'
import { beginShare, finishShare } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

test(
  'the middle of a film of 1 GiB is on the screen after less than 10 MB',
  { timeout: 300_000 },
  async () => {
    const owner = await journey.visitAsMember()
    const { page, open } = await journey.visit()
    const path = join(journey.folder, 'film.webm')
    const { durationSeconds, sizeBytes } = await writeFilm(owner.page, path, 1024 ** 3)
    await beginShare(owner.page, { files: [path], link: 'cinema' })
    await finishShare(owner.page, 240_000)
    await rm(path)

    const received = await countReceived(page, /\?download=false$/)
    await open('/s/cinema')
    await page.getByRole('button', { name: 'Preview film.webm', exact: true }).click()
    await page.getByRole('dialog', { name: 'film.webm', exact: true }).locator('video').waitFor()
    const video = `document.querySelector('video')`
    const middle = durationSeconds / 2 + 10
    expect(await page.evaluate<number>(`(${whenReady})(${video})`)).toBeCloseTo(durationSeconds, 0)
    expect(await page.evaluate(`(${colourAfterSeekTo})(${video}, 1)`)).toBe('red')
    const before = received()
    expect(await page.evaluate(`(${colourAfterSeekTo})(${video}, ${middle})`)).toBe('blue')
    const fetched = received() - before
    console.log(`${fetched} bytes for the middle of ${sizeBytes}, ${before} before`)
    expect(fetched).toBeLessThan(10_000_000)
  },
)

// Run in the page.
const whenReady = `(video) => new Promise((resolve) => {
  const tell = () => resolve(video.duration)
  if (video.readyState > 0) tell()
  else video.addEventListener('loadedmetadata', tell, { once: true })
})`

const colourAfterSeekTo = `(video, seconds) => new Promise((resolve) => {
  video.addEventListener('seeked', () => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context.drawImage(video, 0, 0, 1, 1)
    const [red, , blue] = context.getImageData(0, 0, 1, 1).data
    resolve(red > blue ? 'red' : 'blue')
  }, { once: true })
  video.currentTime = seconds
})`

/** What came over the network from now on for addresses like this. */
async function countReceived(page: Page, address: RegExp): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page)
  const requests = new Set<string>()
  let bytes = 0
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (address.test(request.url)) requests.add(requestId)
  })
  devtools.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (requests.has(requestId)) bytes += dataLength
  })
  await devtools.send('Network.enable')
  return () => bytes
}
