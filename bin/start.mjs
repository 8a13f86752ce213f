// `npm start`: prepares the checkout, then runs Floe in this very process, so that signals arrive
// where the orderly stop is. It is run with two flags of V8. --no-memory-reducer: the pauses between
// small upload requests look like idleness, and compacting the heap in each can cost a third of the
// CPU. --max-semi-space-size=4: what requests leave behind dies young, and bytes are not on the heap,
// so a small nursery loses nothing and saves tens of megabytes.
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
