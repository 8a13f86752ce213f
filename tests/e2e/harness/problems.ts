import type { ConsoleMessage, Page } from 'playwright-core'

/** A response of the server that the page has to live with, and that the browser logs as an error. */
export interface Refusal {
  path: RegExp
  /** Absent: the server did not respond at all. */
  status?: number
}

/** Everything the browser complained about that no test announced. */
export interface ProblemLog {
  watch(page: Page): void
  expectRefusals(...refusals: Refusal[]): void
  /** The complaints so far; they are told once. */
  take(): string[]
}

// A share is asked for before it is entered, so that a visit is not counted twice.
const everywhere: Refusal[] = [{ path: /^\/api\/shares\/[\w-]+$/, status: 403 }]

export function createProblemLog(): ProblemLog {
  const expected = [...everywhere]
  let problems: string[] = []

  function note(message: ConsoleMessage) {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (expected.some((refusal) => isAbout(message, refusal))) return
    problems.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  }

  return {
    watch(page) {
      page.on('console', note)
      page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`))
      page.on('crash', () => problems.push('the tab crashed'))
    },
    expectRefusals(...refusals) {
      expected.push(...refusals)
    },
    take() {
      const taken = problems
      problems = []
      return taken
    },
  }
}

function isAbout(message: ConsoleMessage, { path, status }: Refusal): boolean {
  const { url } = message.location()
  const text = message.text()
  if (!text.startsWith('Failed to load resource') || !URL.canParse(url)) return false
  const isThisAnswer =
    status === undefined ? text.includes('net::ERR_') : text.includes(`${status}`)
  return isThisAnswer && path.test(new URL(url).pathname)
}
