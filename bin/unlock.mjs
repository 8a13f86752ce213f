// `npm run unlock -- <username or email address>`: prepares the checkout, then removes the second factors of an
// account and prints a link at which its password can be chosen within an hour. Code 0 when that was done, 2
// where it could not be.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/unlock.js')
