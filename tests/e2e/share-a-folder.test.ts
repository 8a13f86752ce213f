import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  download,
  dropOn,
  hashesOf,
  hashFile,
  paintPicture,
  unzip,
  writeRandomFile,
  writeTree,
} from './harness/files.ts'
import type { Visitor } from './harness/journey.ts'
import { fileRow, shareButton, shareOptions } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'

const notes = 'Packing list\n\n- tent\n- stove\n- Käse & brød, 果物\n'
const paths = [
  'Føroyar 2026/notes.txt',
  'Føroyar 2026/budget — final.csv',
  'Føroyar 2026/Fotos/день 1/восход 🌅.jpg',
  'Føroyar 2026/Fotos/日本語 & #1 100%.json',
  'Føroyar 2026/recording.bin',
]
const password = 'gannet-42'

function expiryIn(days: number): RegExp {
  const date = new Date()
  date.setUTCDate(date.getUTCDate() + days)
  const text = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(date)
  return new RegExp(`^This share expires on ${text}`)
}

// Runs in the page.
const widthOf = (image: { naturalWidth: number }) => image.naturalWidth

const journey = useJourney()
let owner: Visitor
let link = ''

beforeAll(async () => {
  owner = await journey.visitAsMember()
  const painter = await journey.visit()
  const picture = await paintPicture(painter.page, {
    width: 800,
    height: 500,
    sky: '#f6b98a',
    water: '#2f7d9c',
  })
  await painter.leave()
  await writeTree(journey.folder, {
    'Føroyar 2026/notes.txt': notes,
    'Føroyar 2026/budget — final.csv': 'what;euro\nferry;212\n',
    'Føroyar 2026/Fotos/день 1/восход 🌅.jpg': picture,
    'Føroyar 2026/Fotos/日本語 & #1 100%.json': '{"ok":true}',
  })
  await writeRandomFile(join(journey.folder, 'Føroyar 2026/recording.bin'), {
    sizeBytes: 30_000_001,
    seed: 'recording',
  })
})

test('a dropped folder becomes a share with its own link, password and expiry', async () => {
  const { page, context } = owner
  await page.goto('/upload')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dropOn(page, page.getByRole('heading', { name: 'Drop files or folders here' }), [
    join(journey.folder, 'Føroyar 2026'),
  ])
  await page.getByText('5 files, 30 MB', { exact: true }).waitFor()
  for (const path of paths) await fileRow(page, path).waitFor()

  const options = shareOptions(page)
  await options.getByLabel('Link').fill('föroyar')
  await shareButton(page).click()
  await options.getByText('Can only contain letters, numbers, underscores, and hyphens').waitFor()
  await options.getByLabel('Link').fill('foroyar-2026')
  await options.getByText('This link is available').waitFor()
  await options.getByText(`${journey.floe.url}/s/foroyar-2026`).waitFor()
  await options.getByLabel('Expires in').fill('3')
  await options.getByLabel('Unit').selectOption({ label: 'Weeks' })
  await options.getByText(/^This share expires on /).waitFor()
  await options.getByRole('button', { name: 'Name and description' }).click()
  await options.getByRole('textbox', { name: 'Name' }).fill('Føroyar 2026')
  await options.getByRole('textbox', { name: 'Description' }).fill('Everything from the trip.')
  await options.getByRole('button', { name: 'Security options' }).click()
  await options.getByLabel('Password', { exact: true }).fill(password)
  await shareButton(page).click()

  const done = page.getByRole('dialog', { name: 'Your share is ready' })
  await done.waitFor({ timeout: 60_000 })
  const field = done.getByLabel('Share link')
  link = await field.inputValue()
  expect(link).toBe(`${journey.floe.url}/s/foroyar-2026`)
  await done.getByText(expiryIn(21)).waitFor()
  await done.getByRole('button', { name: 'Copy link' }).click()
  await done.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link)
  await done.getByRole('button', { name: 'Show QR code' }).click()
  const code = done.getByRole('img', { name: 'QR code of the share link' })
  await code.waitFor()
  expect(await code.evaluate(widthOf)).toBeGreaterThan(100)
  await done.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Drop files or folders here' }).waitFor()
})

test('a visitor gets in with the password alone and takes the very same bytes', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/shares\/foroyar-2026\/token$/, status: 403 })
  const { page, leave } = await journey.visit()
  await page.goto(link)
  const ask = page.getByRole('dialog', { name: 'Password required' })
  await ask.getByText('This share is protected. Enter its password to open it.').waitFor()
  await ask.getByLabel('Password', { exact: true }).fill('puffin-42')
  await ask.getByRole('button', { name: 'Open share' }).click()
  await ask.getByText('Invalid password').waitFor()
  await ask.getByLabel('Password', { exact: true }).fill(password)
  await ask.getByRole('button', { name: 'Open share' }).click()

  await page.getByRole('heading', { name: 'Føroyar 2026', level: 1 }).waitFor()
  await page.getByText('Everything from the trip.').waitFor()
  await page.getByText(/5 files, 30\sMB · Expires in /).waitFor()

  const archive = await download(page, page.getByRole('link', { name: 'Download all' }))
  expect(archive.name).toMatch(/\.zip$/)
  const unpacked = join(journey.folder, 'unpacked')
  await unzip(archive.path, unpacked)
  expect(await hashesOf(unpacked, paths)).toEqual(await hashesOf(journey.folder, paths))

  await page.getByRole('button', { name: 'Open folder Fotos' }).waitFor()
  const file = await download(page, page.getByRole('link', { name: 'Download recording.bin' }))
  expect(file.name).toBe('recording.bin')
  expect((await stat(file.path)).size).toBe(30_000_001)
  expect(file.sha256).toBe(await hashFile(join(journey.folder, 'Føroyar 2026/recording.bin')))

  await page.getByRole('button', { name: 'Preview notes.txt' }).click()
  const preview = page.getByRole('dialog', { name: 'notes.txt' })
  await preview.getByText('Käse & brød, 果物').waitFor()
  await preview.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Open folder Fotos' }).click()
  await page.getByRole('button', { name: 'Open folder день 1' }).click()
  await page.getByRole('button', { name: 'Preview восход 🌅.jpg' }).click()
  const picture = page.getByRole('dialog').getByRole('img', { name: 'восход 🌅.jpg' })
  await picture.waitFor()
  await expect.poll(() => picture.evaluate(widthOf), { timeout: 10_000 }).toBe(800)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  await page
    .getByRole('navigation', { name: 'Folders' })
    .getByRole('button', { name: 'Fotos' })
    .click()
  const named = await download(
    page,
    page.getByRole('link', { name: 'Download 日本語 & #1 100%.json' }),
  )
  expect(named.sha256).toBe(
    await hashFile(join(journey.folder, 'Føroyar 2026/Fotos/日本語 & #1 100%.json')),
  )
  await page.goBack()
  await page.getByRole('button', { name: 'Preview восход 🌅.jpg' }).waitFor()
  await leave()
})
