import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeSilence, paintPicture } from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { findUnfitTexts } from './harness/languages.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const outside = 'https://tracker.example/seen.png'
const readMe = `# Guide

Read the [notes](notes.txt), the [site](https://floe.example/) or [nothing](javascript:alert(1)).

![The bay](pictures/bay%201.jpg)
![seen by a stranger](${outside})

<script>document.title = 'taken'</script>
<img src="${outside}" onerror="document.title = 'taken'">

| Step | Done |
|------|------|
| One  | yes  |

- [x] packed

\`\`\`rust
fn main() {}
\`\`\`
`
const program = 'fn main() {\n    let name = "floe"; // cold\n}\n'

const journey = useJourney()
let owner: Visitor
let visitor: Visitor
let page: Page
let shareId: string

beforeAll(async () => {
  owner = await journey.visitAsMember()
  const painter = await journey.visit()
  const scene = { width: 640, height: 400, sky: '#9fd3e8', water: '#126689' }
  const picture = await paintPicture(painter.page, scene)
  await painter.leave()
  shareId = await makeShare(owner.context.request, {
    name: 'Trip',
    files: {
      'README.md': readMe,
      'main.rs': program,
      'notes.txt': 'plain words',
      'paper.pdf': '%PDF-1.4\n%%EOF',
      'song.wav': makeSilence(),
      'data.bin': Buffer.from([0, 1, 2]),
      'pictures/bay 1.jpg': picture,
    },
  })
  visitor = await journey.visit()
  page = visitor.page
})

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })

async function preview(name: string) {
  await visitor.open(`/s/${shareId}`)
  await page.getByRole('button', { name: `Preview ${name}`, exact: true }).click()
  return dialog(name)
}

test('Markdown is shown as a document: pictures come from the share, nothing from outside', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const readme = await preview('README.md')
  const document = readme.getByRole('article')
  await document.getByRole('heading', { name: 'Guide' }).waitFor()
  await document.getByRole('table').getByText('yes').waitFor()
  await expect.poll(() => document.getByRole('checkbox').isChecked()).toBe(true)
  const bay = document.getByRole('img', { name: 'The bay' })
  await expect
    .poll(() => bay.evaluate((image: { naturalWidth?: number }) => image.naturalWidth))
    .toBe(640)
  await expect.poll(() => document.getByRole('img').count()).toBe(1)
  await document.getByText('seen by a stranger').waitFor()
  expect(asked.filter((url) => !url.startsWith(journey.floe.url))).toEqual([])
  await expect.poll(() => page.title()).not.toBe('taken')
})

test('a document shows nothing of its source while what draws it is on its way', async () => {
  const held: Route[] = []
  await page.route(/\/RichText-[^/]+\.js$/, (route) => void held.push(route))
  const readme = await preview('README.md')
  await expect.poll(() => held.length).toBe(1)
  await readme.getByRole('button', { name: 'Show source' }).waitFor()
  expect(await readme.getByText('Guide').count()).toBe(0)
  await held[0]?.continue()
  await readme.getByRole('heading', { name: 'Guide' }).waitFor()
  await page.unroute(/\/RichText-[^/]+\.js$/)
})

test('links in a document lead outside in a tab of their own, into the share, or nowhere', async () => {
  const readme = await preview('README.md')
  const links = readme.getByRole('article').getByRole('link')
  await links.first().waitFor()
  const found = await links.evaluateAll((all) =>
    all.map((link) => [link.textContent, link.getAttribute('target'), link.getAttribute('rel')]),
  )
  expect(found).toEqual([
    ['notes', '_blank', 'noreferrer nofollow'],
    ['site', '_blank', 'noreferrer nofollow'],
  ])
  const address = (await links.first().getAttribute('href')) ?? ''
  expect(await (await visitor.context.request.get(address)).text()).toBe('plain words')
})

test('a document can be read as its source, and copied', async () => {
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const readme = await preview('README.md')
  await readme.getByRole('button', { name: 'Show source' }).click()
  await readme.locator('pre').getByText('<script>document.title').waitFor()
  await readme.getByRole('button', { name: 'Copy text' }).click()
  await readme.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(readMe)
})

test('code has colours', async () => {
  const code = await preview('main.rs')
  const keyword = code.getByText('let', { exact: true })
  await keyword.waitFor()
  const className = await keyword.getAttribute('class')
  expect(className).toBe('hljs-keyword')
})

test('a file has a link, copied or to copy where the browser keeps the clipboard shut', async () => {
  await visitor.open(`/s/${shareId}`)
  await page.getByRole('button', { name: 'Copy link of notes.txt' }).click()
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(['Name', 'Size'])
  await page.getByRole('alert').getByText('Link copied').waitFor()
  const download = page.getByRole('link', { name: 'Download notes.txt' })
  const address = new URL((await download.getAttribute('href')) ?? '', journey.floe.url).href

  const shut = await journey.visit()
  await shut.page.addInitScript(`
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
    document.execCommand = () => false`)
  await shut.open(`/s/${shareId}`)
  await shut.page.getByRole('button', { name: 'Copy link of notes.txt' }).click()
  const link = shut.page.getByRole('dialog', { name: 'Link to this file' })
  await expect.poll(() => link.getByLabel('File link').inputValue()).toBe(address)
  expect(await (await shut.context.request.get(address)).text()).toBe('plain words')
  await shut.leave()
})

test('arrow keys go through files of every kind', async () => {
  const first = await preview('main.rs')
  await first.locator('pre').waitFor()
  await page.keyboard.press('ArrowLeft')
  const unsupported = dialog('data.bin')
  await unsupported.getByText('Preview not supported', { exact: true }).waitFor()
  await unsupported.getByRole('link', { name: 'Download' }).waitFor()
  const shown = [
    ['data.bin', unsupported.getByText('This file cannot be shown here. Download it')],
    ['main.rs', dialog('main.rs').locator('pre')],
    ['notes.txt', dialog('notes.txt').getByText('plain words')],
    ['paper.pdf', dialog('paper.pdf').locator('iframe')],
    ['README.md', dialog('README.md').getByRole('article')],
    ['song.wav', dialog('song.wav').locator('audio')],
  ] as const
  for (const [, content] of shown) {
    await content.waitFor()
    await page.keyboard.press('ArrowRight')
  }
  await dialog('song.wav').waitFor()
})

test('no window is so low that a text lies over the buttons below it', async () => {
  const line = 'A line of a log.\n'
  const id = await makeShare(owner.context.request, {
    // Longer than what is shown of it, by spaces that take no room.
    files: { 'long.log': line.repeat(20) + ' '.repeat(512_000), 'next.txt': 'Next' },
  })
  // A desktop of 1280 x 1024 at 400 % (WCAG 2.2, 1.4.10), and one as low at 200 %.
  for (const viewport of [
    { width: 320, height: 256 },
    { width: 640, height: 200 },
  ]) {
    const reader = await journey.visit({ viewport })
    await reader.open(`/s/${id}`)
    await reader.page.getByRole('button', { name: 'long.log', exact: true }).click()
    await reader.page.getByText('Only the beginning is shown').waitFor()
    expect(await findUnfitTexts(reader.page, '[role="dialog"]')).toEqual([])
    await reader.leave()
  }
})
