// Prepares the checkout, then runs every service as a process of its own, from its bundles: for tests
// and benchmarks. `npm run dev -- --split` does the same from the sources.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(1)
await import('@floe/dev/cluster')
