// `npm run verify`: prepares the checkout, then compares storage and database. Code 0 without
// differences, 1 with, 2 where it could not be done.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/verify.js')
