// `npm run release -- --dry-run`: prepares the checkout, then makes everything a release consists of.
// What its arguments mean says deploy/release/main.ts.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { root } from './build.mjs'
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(1)
const program = join(root, 'deploy', 'release', 'main.ts')
spawn(
  process.execPath,
  ['--conditions=source', '--import', 'tsx', program, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
).once('exit', (code) => {
  process.exitCode = code ?? 1
})
