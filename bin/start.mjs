// `npm start`: prepares the checkout, then runs Floe in this very process, so that signals arrive
// where the orderly stop is. It is run with --no-memory-reducer: V8 takes the pauses between small
// upload requests for idleness and compacts the heap in each, which can cost a third of the CPU.
import { prepare, PrepareError } from './prepare.mjs'

try {
  await prepare()
} catch (error) {
  if (!(error instanceof PrepareError)) throw error
  console.error(error.message)
  process.exit(1)
}

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
