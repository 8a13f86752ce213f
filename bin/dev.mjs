// `npm run dev`: Floe from its sources at one address. A saved file of the server starts a new
// process, a saved component replaces itself in the browser; `-- --split` runs each service apart.
import { createServerBuild } from './build.mjs'
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(1, { builds: false })
const build = await createServerBuild()
await build.rebuild()
const { runDev } = await import('@floe/dev')
await runDev({ build, isSplit: process.argv.includes('--split') })
