// `npm run dev:split`: prepares the checkout, then runs every service as a process of its own.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(1)
await import('@floe/dev/cluster')
