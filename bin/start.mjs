// `npm start`: prepares the checkout, then runs Floe in this very process, so that signals arrive
// where the orderly stop is. Its flags are
// those of src/v8-flags.ts, which says why.
import { prepareOrExit } from './prepare.mjs'

await prepareOrExit(1)

if (process.env.npm_lifecycle_event) stopWithParent()
await import('./dist/main.js')

/**
 * A shell that npm puts between itself and us dies of a signal without passing it on, and npm with
 * it. What was asked to stop would then go on running, out of sight.
 */
function stopWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
