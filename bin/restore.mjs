// `npm run restore -- <folder>`: prepares the checkout, then fills an empty installation from a
// backup. Code 0 when it is done, 1 when it is but for bytes that were lost before the backup, 2
// where it could not be.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/restore.js')
