import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { looks, wear } from './looks.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

interface Violation {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** What axe finds wrong with what the page shows, in every look; `screen` names it in each line. */
export async function findBarriers(page: Page, screen: string): Promise<string[]> {
  const found: string[] = []
  // Evaluated rather than added as a script: the page's policy allows no inline ones.
  await page.evaluate(axe)
  for (const look of looks) {
    const { colorScheme, device } = look
    await wear(page, look)
    let violations = await findViolations(page)
    if (violations.length > 0) {
      // Chromium may hand out an inherited colour of the scheme before for one more frame: a
      // barrier is what is still there on a second look.
      await wear(page, look)
      violations = await findViolations(page)
    }
    for (const { id, nodes } of violations) {
      for (const { target, failureSummary } of nodes) {
        found.push(
          `${screen}, ${colorScheme} ${device}: ${id} at ${target.join(' ')}: ${failureSummary}`,
        )
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

function findViolations(page: Page): Promise<Violation[]> {
  return page.evaluate<Violation[]>(
    `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })
      .then((result) => result.violations)`,
  )
}
