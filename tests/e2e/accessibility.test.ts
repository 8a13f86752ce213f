import type { Language } from '@floe/contracts'
import { beforeAll, expect, test } from 'vitest'
import type { Visitor } from './harness/journey.ts'
import { join } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { shareOptions } from './harness/uploading.ts'
import { useJourney } from './harness/use-journey.ts'
import { startTour, type Tour } from './screens/tour.ts'

// The main screens; full/ goes through all of them, with their states and dialogs.

const journey = useJourney()
let shareId: string

beforeAll(async () => {
  const owner = await journey.visitAsMember()
  const files = { 'notes.txt': 'Notes', 'Songs/kyrie.txt': 'Kyrie' }
  shareId = await makeShare(owner.context.request, { name: 'Choir', description: 'For you', files })
  await owner.leave()
})

/** Judges what an address shows, once its heading is there. */
async function judge(tour: Tour, { page }: Visitor, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await tour.judge(page, path)
}

async function startIn(language: Language) {
  const tour = startTour(language, journey)
  const visitor = await tour.visit()
  return { tour, visitor }
}

test('visitors meet no barrier on the main screens, light on a desktop and dark on a phone', async () => {
  const { tour, visitor } = await startIn('en')
  for (const path of ['/', '/auth/signIn', '/auth/signUp', `/share/${shareId}`]) {
    await judge(tour, visitor, path)
  }
  expect(tour.takeFound()).toEqual([])
  await visitor.leave()
})

test('members meet no barrier on the main screens, nor where a share is made', async () => {
  const { tour, visitor } = await startIn('en')
  await join(visitor)
  for (const path of ['/account', '/account/shares', '/account/reverseShares', '/upload']) {
    await judge(tour, visitor, path)
  }
  const { page } = visitor
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') }
  await page.getByLabel('Files to upload').setInputFiles(file)
  await shareOptions(page).getByLabel('Link').waitFor()
  await tour.judge(page, 'files that are sent, and the options of their share')
  expect(tour.takeFound()).toEqual([])
  await visitor.leave()
})
