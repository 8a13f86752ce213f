// `npm run import -- <product> <folder>`: prepares the checkout, then brings the accounts, shares, files
// and reverse shares of Pingvin Share (`pingvin`) or of an export (`floe`), or what Floe has a place for of Palmr
// (`palmr`) or of Gokapi (`gokapi`). `--dry-run` tells what would come, `--json` prints it as JSON.
// Code 0 when all came, 1 when what did not come is listed, 2 when nothing was done.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(2)
await import('./dist/import.js')
