// `npm run backup -- <folder>`: prepares the checkout, then writes database and objects to a folder
// that does not exist yet. Code 0 when all is there, 1 when it is whole but for bytes that were lost
// or altered before, 2 where it could not be done.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/backup.js')
