// `npm run export -- <folder>`: prepares the checkout, then writes every share as a plain folder with
// its files, and beside it `<id>.json`. `npm run import -- floe <folder>` takes it back. Code 0 when all was
// written, 1 when what was not is listed, 2 when there is no export.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/export.js')
