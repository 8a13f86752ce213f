// `npm run migrate`: prepares the checkout, then brings the database up to date and ends. Code 2
// where it could not be done.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/migrate.js')
