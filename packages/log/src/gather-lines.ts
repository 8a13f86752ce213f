import type { DestinationStream } from 'pino'

/** How long a line may wait for others to go out with it. */
const WAIT_MS = 20

/**
 * Writes lines together that come within a moment, and those that wait when the process exits. A
 * system call for each line, and waking its reader, cost a tenth of what a small request does.
 */
export function gatherLines(output: DestinationStream) {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flushSync = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = ''
    if (lines !== '') output.write(lines)
  }
  process.once('exit', flushSync)
  return {
    write(line: string) {
      waiting += line
      timer ??= setTimeout(flushSync, WAIT_MS)
    },
    /** Called by pino after a line of level `fatal`. */
    flushSync,
  }
}
