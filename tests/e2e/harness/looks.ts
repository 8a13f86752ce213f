import type { Page } from 'playwright-core'

export const looks = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { colorScheme, device: 'desktop', viewport: { width: 1280, height: 800 } },
  { colorScheme, device: 'phone', viewport: { width: 390, height: 844 } },
])

export type Look = (typeof looks)[number]

// Resolves behind the frame that follows every transition: they are cut short, not left out.
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter((animation) => animation instanceof CSSTransition))
  .then((transitions) => Promise.allSettled(transitions.map(({ finished }) => finished)))
  .then(() => undefined)`

/** Resolves once the page is painted in this look, and in nothing of the one before. */
export async function wear(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  await page
    .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
    .waitFor({ state: 'attached' })
  await page.evaluate(SETTLED)
}
