import { createReadStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Page } from 'playwright-core'
import type { Bench, Row } from '../bench.ts'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { writeFilm } from '../../e2e/harness/film.ts'
import { startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { filePaths, type Session, signUp } from '../floe/session.ts'
import { limitLine, type Line } from '../harness/report.ts'
import { runRounds } from '../harness/statistics.ts'
import { GiB, MiB } from '../harness/transfers.ts'
import { startNginx } from '../references/nginx.ts'

const SEEK = `(address, part) => new Promise((resolve, reject) => {
  const video = Object.assign(document.createElement('video'), { src: address, muted: true })
  let startedAt
  video.onerror = () => reject(new Error(video.error.message))
  video.onseeked = () => {
    resolve(performance.now() - startedAt)
    video.removeAttribute('src')
    video.load()
  }
  video.onloadeddata = () => {
    startedAt = performance.now()
    video.currentTime = video.duration * part
  }
  document.body.append(video)
})`

/** Milliseconds from the wish to the frame, in a player that shows the beginning. */
function seekTo(page: Page, address: string, part: number): Promise<number> {
  return page.evaluate(`(${SEEK})(${JSON.stringify(address)}, ${part})`)
}

async function shareFile(session: Session, path: string): Promise<string> {
  const { size } = await stat(path)
  const shareId = await session.createShare()
  const upload = await session.createUpload(shareId, 'film.webm', size)
  const headers = {
    cookie: session.cookie,
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
    'Content-Length': size,
  }
  const { port } = session
  const sending = request({ host: '127.0.0.1', port, path: upload, method: 'PATCH', headers })
  const status = new Promise<number>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', (response) => resolve(response.resume().statusCode ?? 0))
  })
  await pipeline(createReadStream(path, { highWaterMark: MiB }), sending)
  if ((await status) !== 204) throw new Error(`the upload of the film returned ${await status}`)
  await session.completeShare(shareId)
  return shareId
}

async function measureSeek({ scratch, isQuick, rounds }: Bench): Promise<Line[]> {
  const browser = await launchBrowser()
  const floe = await startFloe(scratch)
  const nginx = await startNginx(scratch)
  try {
    const page = await browser.newPage()
    const film = scratch.file('film.webm')
    const { sizeBytes } = await writeFilm(page, film, isQuick ? 64 * MiB : GiB)
    const session = await signUp(floe)
    await session.changeSettings({ 'share.maxSize': 2 * sizeBytes })
    const shareId = await shareFile(session, film)
    const [address] = await filePaths(session, shareId)
    await page.goto(`http://127.0.0.1:${floe.port}/s/${shareId}`)
    await page.getByRole('table').waitFor()
    await waitUntilQuiet(floe)
    const runs = [
      { name: 'Floe', page, address: `${address}?download=false`, values: [] as number[] },
    ]
    if (nginx) {
      await copyFile(film, join(nginx.folder, 'film.webm'))
      const other = await browser.newPage()
      await other.goto(`http://127.0.0.1:${nginx.port}/`)
      runs.push({ name: nginx.name, page: other, address: '/film.webm', values: [] })
    }
    let round = 0
    await runRounds(
      rounds,
      runs.map(({ name, page: of, address: from, values }) => ({
        name,
        // Never the same place twice: what was fetched before is still there.
        run: async () => void values.push(await seekTo(of, from, 0.4 + 0.01 * (round += 1))),
      })),
    )
    const [ours, ...references] = runs
    return [
      limitLine({
        what: 'Seek to the middle of a film of 1 GiB in Chromium, to its frame',
        values: ours?.values ?? [],
        unit: 'ms',
        digits: 0,
        references,
        atMost: 300,
      }),
    ]
  } finally {
    await browser.close()
    await nginx?.stop()
    await floe.stop()
  }
}

export const seekRow: Row = { name: 'seek', measure: measureSeek }
