const FIRST_MS = 2_000
const MOST_IN_VAIN = 4

/**
 * When to fetch a share again whose pictures are still being made: until half a minute after the
 * last one came, so that an early visitor sees all of them and nobody waits for one that never comes.
 * `responses` counts those so far; `waiting` counts the pictures that the last one lacked.
 */
export function createAskAgain(): (state: {
  responses: number
  waiting: number
}) => number | false {
  let last = { responses: 0, waiting: Infinity }
  return ({ responses, waiting }) => {
    if (waiting === 0) return false
    if (waiting < last.waiting || responses < last.responses) last = { responses, waiting }
    const inVain = responses - last.responses
    return inVain < MOST_IN_VAIN && FIRST_MS * 2 ** inVain
  }
}
