import { languages } from '@floe/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  findUnfitTexts,
  invitePeople,
  type People,
  screens,
  showScreen,
  widths,
} from '../harness/languages.ts'
import { useOwnFloe } from '../harness/use-journey.ts'

const journey = useOwnFloe()
let people: People

beforeAll(async () => {
  people = await invitePeople(journey)
  await Promise.all([people.member.open('/'), people.stranger.open('/')])
})

describe.each(languages)('%s', (language) => {
  test('fits its texts on five screens, on a phone and a desktop', async () => {
    for (const screen of screens) {
      const page = await showScreen(people, screen, language)
      for (const [device, size] of Object.entries(widths)) {
        await page.setViewportSize(size)
        // The bar folds up a moment after the window got narrow.
        const find = () => findUnfitTexts(page)
        await expect.poll(find, { message: `${screen.name}, ${device}` }).toEqual([])
      }
    }
  })
})
