import type { Language } from '@floe/contracts'
import type { Locator, Page, Request } from 'playwright-core'
import { findBarriers } from '../harness/barriers.ts'
import type { Journey, Visitor } from '../harness/journey.ts'
import { pairwiseLooks } from '../harness/looks.ts'
import { speak } from '../harness/texts.ts'

type Values = Readonly<Record<string, string | number>>
type Find = (scope: Page | Locator, key: string, values?: Values) => Locator

/** A way through screens that are judged one by one, in one language. Texts are named by key. */
export interface Tour {
  readonly language: Language
  readonly journey: Journey
  readonly say: (key: string, values?: Values) => string
  readonly button: Find
  readonly link: Find
  readonly heading: Find
  readonly dialog: Find
  readonly field: Find
  readonly text: Find
  /** Somebody whose browser asks for the language of the tour. */
  visit(): Promise<Visitor>
  /** Looks for barriers in what the page shows, or in what stands in for it until it is there. */
  judge(page: Page, screen: string, state?: 'on its way'): Promise<void>
  /** What was found since the last call. */
  takeFound(): string[]
  readonly judgedCount: number
}

export function startTour(language: Language, journey: Journey): Tour {
  const say = speak(language)
  const looks = language === 'ar' ? pairwiseLooks.rtl : pairwiseLooks.ltr
  let found: string[] = []
  let judgedCount = 0
  const named =
    (role: 'button' | 'link' | 'heading' | 'dialog'): Find =>
    (scope, key, values) =>
      scope.getByRole(role, { name: say(key, values), exact: true })
  return {
    language,
    journey,
    say,
    button: named('button'),
    link: named('link'),
    heading: named('heading'),
    dialog: named('dialog'),
    field: (scope, key, values) => scope.getByLabel(say(key, values), { exact: true }),
    text: (scope, key, values) => scope.getByText(say(key, values)).first(),
    visit: () => journey.visit({ locale: language }),
    async judge(page, screen, state) {
      judgedCount += 1
      // A heading is the first thing to come.
      const without = state === 'on its way' ? ['page-has-heading-one'] : []
      found.push(...(await findBarriers(page, screen, { looks, without })))
    },
    takeFound() {
      const taken = found
      found = []
      return taken
    },
    get judgedCount() {
      return judgedCount
    },
  }
}

/** Keeps back what the page asks of this address until the response is let go. */
export async function hold(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Has the server refuse what the page sends to this address, once. */
export async function refuse(
  page: Page,
  address: RegExp,
  { method, status, error }: { method?: string; status: number; error?: string },
): Promise<void> {
  const isMeant = (request: Request) => method === undefined || request.method() === method
  await page.route(address, (route, request) =>
    isMeant(request)
      ? route.fulfill({ status, json: { statusCode: status, error, message: error ?? 'refused' } })
      : route.continue(),
  )
}
