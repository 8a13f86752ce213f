import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { installSender } from '../harness/encrypted.ts'
import { writeFilm } from '../harness/film.ts'
import { beginShare, finishShare } from '../harness/uploading.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

const FILM_BYTES = 1024 ** 3
const FEW_BYTES = 10_000_000

test(
  'the middle of a film of 1 GiB is on the screen after less than 10 MB',
  { timeout: 300_000 },
  async () => {
    const owner = await journey.visitAsMember()
    const path = join(journey.folder, 'film.webm')
    const film = await writeFilm(owner.page, path, FILM_BYTES)
    await beginShare(owner.page, { files: [path], link: 'cinema' })
    await finishShare(owner.page, 240_000)
    await rm(path)
    expect(await watchMiddle('/s/cinema', film)).toBeLessThan(FEW_BYTES)
  },
)

test('so is that of one that is encrypted', { timeout: 300_000 }, async () => {
  const { cli, send } = await installSender(journey.floe)
  try {
    const { page } = await journey.visit()
    const film = await writeFilm(page, join(cli.folder, 'film.webm'), FILM_BYTES)
    expect(await watchMiddle(await send('film.webm'), film)).toBeLessThan(FEW_BYTES)
  } finally {
    await cli.remove()
  }
})

/** How many bytes it took to jump to the middle. */
async function watchMiddle(
  link: string,
  { durationSeconds, sizeBytes }: { durationSeconds: number; sizeBytes: number },
): Promise<number> {
  const { page } = await journey.visit()
  const received = await countReceived(page, /\?download=false$/)
  await page.goto(link)
  await page.getByRole('button', { name: 'Preview film.webm', exact: true }).click()
  await page.getByRole('dialog', { name: 'film.webm', exact: true }).locator('video').waitFor()
  const video = `document.querySelector('video')`
  const middle = durationSeconds / 2 + 10
  expect(await page.evaluate<number>(`(${whenReady})(${video})`)).toBeCloseTo(durationSeconds, 0)
  expect(await page.evaluate(`(${colourAfterSeekTo})(${video}, 1)`)).toBe('red')
  const [before, beganMs] = [received(), performance.now()]
  expect(await page.evaluate(`(${colourAfterSeekTo})(${video}, ${middle})`)).toBe('blue')
  const fetched = received() - before
  const tookMs = Math.round(performance.now() - beganMs)
  console.log(`${fetched} bytes, ${tookMs} ms for the middle of ${sizeBytes}, ${before} before`)
  return fetched
}

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
