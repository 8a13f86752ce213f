// Makes docs/screenshots/languages: five screens of every language side by side, one small picture
// each: `node --conditions=source --import tsx tests/e2e/language-screenshots.ts`, optionally with
// the codes of the languages to take again.
import { languages } from '@floe/contracts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { startJourney } from './harness/journey.ts'
import { appointAdministrator } from './harness/administrator.ts'
import { invitePeople, screens, showScreen } from './harness/languages.ts'

const target = fileURLToPath(new URL('../../docs/screenshots/languages', import.meta.url))
const wanted = new Set(process.argv.slice(2))
const phone = { width: 390, height: 844 }
const SHOWN_WIDTH = 220
const GAP = 12

const height = Math.round((phone.height / phone.width) * SHOWN_WIDTH)

async function compose(pictures: readonly Buffer[], path: string): Promise<void> {
  const shown = await Promise.all(
    pictures.map((picture) => sharp(picture).resize(SHOWN_WIDTH, height).toBuffer()),
  )
  const sheet = {
    width: shown.length * (SHOWN_WIDTH + GAP) + GAP,
    height: height + 2 * GAP,
    channels: 3,
    background: '#9fb3bd',
  } as const
  await sharp({ create: sheet })
    .composite(
      shown.map((input, index) => ({ input, top: GAP, left: GAP + index * (SHOWN_WIDTH + GAP) })),
    )
    .webp({ quality: 70 })
    .toFile(path)
}

const journey = await startJourney()
try {
  await appointAdministrator(journey.floe.url)
  const people = await invitePeople(journey)
  for (const { page } of Object.values(people)) {
    await page.setViewportSize(phone)
    await page.goto(journey.floe.url)
  }
  await mkdir(target, { recursive: true })
  for (const language of languages) {
    if (wanted.size > 0 && !wanted.has(language)) continue
    const pictures: Buffer[] = []
    for (const screen of screens) {
      const page = await showScreen(people, screen, language)
      await page.waitForLoadState('networkidle')
      pictures.push(await page.screenshot({ caret: 'hide', animations: 'disabled' }))
    }
    await compose(pictures, join(target, `${language}.webp`))
  }
} finally {
  await journey.end()
}
