// `npm start`: prepares the checkout, then runs Floe in this very process, so that signals arrive
// where the orderly stop is.
import { prepare, PrepareError } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}

await import('./dist/main.js')
