// `npm run verify`: prepares the checkout, then compares storage and database. Code 0 without
// differences, 1 with, 2 where it could not be done.
import { prepare, PrepareError } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(2)
}
await import('./dist/verify.js')
