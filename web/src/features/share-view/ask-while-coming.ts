const FIRST_MS = 2_000
const LONGEST_MS = 30_000
/** Long lists are asked for less often. */
const MS_PER_FILE = 2

interface State {
  /** Responses so far. */
  responses: number
  /** Bytes that had come by the last one. */
  received: number
  files: number
}

/**
 * When to fetch a share again whose files are still uploaded: soon, and less and less often while
 * nothing comes.
 */
export function createAskWhileComing(): (state: State) => number {
  let last = { responses: 0, received: -1 }
  return ({ responses, received, files }) => {
    if (received !== last.received || responses < last.responses) last = { responses, received }
    const inVain = responses - last.responses
    return Math.min(LONGEST_MS, (FIRST_MS + files * MS_PER_FILE) * 1.5 ** inVain)
  }
}
