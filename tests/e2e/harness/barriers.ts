import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { findUnseenFocus } from './focus.ts'
import { findUnfitTexts } from './languages.ts'
import { type Look, resize, wear } from './looks.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What lies behind a dialog or a menu has been judged without it. */
const FRONT = '[role="dialog"], [role="menu"]'

/** A desktop of 1280 pixels at 200 % (WCAG 2.2, 1.4.4). */
const zoomed = { width: 640, height: 400 }

interface Violation {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/**
 * What keeps people from what the page shows, a line each: whatever axe finds in each look; texts
 * that do not fit a narrow or a zoomed page; and things whose focus nobody sees. `screen` names it
 * in each line, `without` are rules of axe that it need not keep to.
 */
export async function findBarriers(
  page: Page,
  screen: string,
  { looks, without = [] }: { looks: readonly Look[]; without?: readonly string[] },
): Promise<string[]> {
  const found: string[] = []
  const note = (place: string, problems: readonly string[]) =>
    found.push(...problems.map((problem) => `${screen}, ${place}: ${problem}`))

  for (const look of looks) {
    const { colorScheme, device } = look
    await wear(page, look)
    let violations = await findViolations(page, without)
    if (violations.length > 0) {
      // Chromium may hand out an inherited colour of the scheme before for one more frame: a
      // barrier is what is still there on a second look.
      await wear(page, look)
      violations = await findViolations(page, without)
    }
    note(`${colorScheme} ${device}`, violations)
    if (device === 'phone') {
      note(device, await findUnfitTexts(page, FRONT))
      note(device, await findUnseenFocus(page, FRONT))
    }
  }
  await resize(page, zoomed)
  note('zoomed', await findUnfitTexts(page, FRONT))
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

/** Whatever axe finds in what the page shows. */
export async function findViolations(
  page: Page,
  without: readonly string[] = [],
): Promise<string[]> {
  // Evaluated rather than added as a script: the page's policy allows no inline ones.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const options = {
    runOnly: tags,
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    resultTypes: ['violations'],
    iframes: false,
  }
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document.querySelector('${FRONT}') ?? document, ${JSON.stringify(options)})
      .then((result) => result.violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
