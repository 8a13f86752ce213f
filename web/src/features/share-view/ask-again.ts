const FIRST_MS = 2_000
const MOST_IN_VAIN = 4

/**
 * When a share is asked again for pictures that are yet to come: until half a minute after the last
 * one came, so that whoever opens a share at once sees all of them, and none is waited for that never
 * comes. `answers` are those so far, `waiting` the pictures the last of them lacked.
 */
export function createAskAgain(): (state: { answers: number; waiting: number }) => number | false {
  let last = { answers: 0, waiting: Infinity }
  return ({ answers, waiting }) => {
    if (waiting === 0) return false
    if (waiting < last.waiting || answers < last.answers) last = { answers, waiting }
    const inVain = answers - last.answers
    return inVain < MOST_IN_VAIN && FIRST_MS * 2 ** inVain
  }
}
