import type { Language } from '@floe/contracts'
import type { CertifiedProvider } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Visitor } from '../harness/journey.ts'
import { configure, join as joinFloe } from '../harness/people.ts'
import { providerSettings, startProvider } from '../harness/provider.ts'
import { useOwnFloe } from '../harness/use-journey.ts'
import { startTour, type Tour } from './tour.ts'
import { tourAccount, tourSecondFactor } from './account.ts'
import { tourAdministration, tourConfiguration } from './administration.ts'
import { tourOwnShares, tourReverseShares } from './own-things.ts'
import { tourSending, tourUpload } from './uploads.ts'
import { tourFront, tourPreviews, tourShares } from './visitors.ts'

const parts = {
  'the home page, the ways in and dead ends': tourFront,
  'shares and their dead ends': tourShares,
  'previews of every kind': tourPreviews,
  'uploads and their failures': tourUpload,
  'links that others send through': tourSending,
  'the shares of an account': tourOwnShares,
  'its links to receive files': tourReverseShares,
  'the account and its menus': tourAccount,
  'the steps of the second factor': tourSecondFactor,
  'users, shares and the log of everybody': tourAdministration,
  'all settings': tourConfiguration,
} satisfies Record<string, (tour: Tour, admin: Visitor) => Promise<void>>

/** Tests that go through screens, states and dialogs in one language. */
export function testScreens(language: Language): void {
  // The tour begins with the greeting of the first account.
  const journey = useOwnFloe({ isNew: true })
  let tour: Tour
  let admin: Visitor
  let provider: CertifiedProvider

  beforeAll(async () => {
    tour = startTour(language, journey)
    admin = await tour.visit()
    await joinFloe(admin)
    provider = await startProvider(journey)
    await configure(admin, {
      'general.appUrl': journey.floe.url,
      'smtp.enabled': true,
      ...providerSettings(provider),
      'oauth.github-enabled': true,
      'oauth.github-clientId': 'floe',
      'oauth.github-clientSecret': 'floe',
      'share.allowUnauthenticatedShares': true,
      'email.enableShareEmailRecipients': true,
    })
  })

  beforeEach(() => {
    tour.takeFound()
  })

  afterAll(async () => {
    console.log(`${tour.judgedCount} screens judged in ${language}`)
    await provider.close()
  })

  for (const [part, go] of Object.entries(parts)) {
    test(`${part} have no barrier`, async () => {
      await go(tour, admin)
      expect(tour.takeFound()).toEqual([])
    })
  }
}
