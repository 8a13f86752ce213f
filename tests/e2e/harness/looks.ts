import type { Page } from 'playwright-core'

const desktop = { device: 'desktop', viewport: { width: 1280, height: 800 } }

export const looks = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, ...desktop },
  { colorScheme, device: 'phone', viewport: { width: 390, height: 844 } },
])

export type Look = (typeof looks)[number]

/** As narrow as pages have to go without a second direction to scroll in (WCAG 2.2, 1.4.10). */
const narrow = { device: 'phone', viewport: { width: 320, height: 640 } }

/**
 * Every pair of scheme, device and direction comes up once left-to-right and right-to-left are each
 * seen in two looks.
 */
export const pairwiseLooks = {
  ltr: [
    { colorScheme: 'light', ...desktop },
    { colorScheme: 'dark', ...narrow },
  ],
  rtl: [
    { colorScheme: 'dark', ...desktop },
    { colorScheme: 'light', ...narrow },
  ],
} as const satisfies Record<string, readonly Look[]>

// Resolves behind the frame that follows every transition: they are cut short, not left out.
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition))
  .then((transitions) => Promise.allSettled(transitions.map(({ finished }) => finished)))
  .then(() => undefined)`

/** Resolves once the page is painted in this look, and in nothing of the one before. */
export async function wear(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page
    .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
    .waitFor({ state: 'attached' })
  await resize(page, viewport)
}

/** Resolves once the page is painted at this size. */
export async function resize(
  page: Page,
  viewport: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate(SETTLED)
}
