import { expect, test } from 'vitest'
import { useJourney } from '../harness/use-journey.ts'
import { startTour } from '../screens/tour.ts'
import { tourPreviews } from '../screens/visitors.ts'

const journey = useJourney({ browser: { fonts: 'garuda' } })

test('previews of every kind have no barrier in letters of another width and height', async () => {
  const tour = startTour('en', journey)
  await tourPreviews(tour)
  expect(tour.takeFound()).toEqual([])
})
