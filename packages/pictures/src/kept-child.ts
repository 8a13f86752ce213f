import type { DecodeChild, DecodeLog } from './decode-child.ts'
import type { DecoderOptions, DecodeOutcome } from './decoder.ts'
import { within } from './within.ts'

const START_TIMEOUT_MS = 30_000

type NoChild = Exclude<DecodeOutcome, { state: 'made' }>

/** One child process that is kept between pictures. */
export interface KeptChild {
  /** The process, started where there is none, or why there is none: by accident, or for good. */
  ensure(): Promise<DecodeChild | NoChild>
  kill(): Promise<void>
  /** Kills it, and forgets it. */
  end(): Promise<void>
}

export function createKeptChild({
  log,
  startChild,
}: {
  log: DecoderOptions['log']
  startChild: (log: DecodeLog) => DecodeChild
}): KeptChild {
  let child: DecodeChild | null = null
  let unavailableReason: string | null = null

  async function end(): Promise<void> {
    const ended = child
    child = null
    await ended?.kill()
  }

  return {
    async ensure() {
      if (unavailableReason !== null) return { state: 'unavailable', reason: unavailableReason }
      if (child && !child.isGone()) return child
      child = startChild(log)
      const response = await within(START_TIMEOUT_MS, child.nextResponse())
      if (response !== 'late' && response?.type === 'ready') return child
      await end()
      if (response === 'late' || response?.type !== 'unavailable') {
        return { state: 'lost', reason: 'the process for pictures did not start' }
      }
      unavailableReason = response.reason
      log.warn(
        { reason: response.reason },
        'images cannot be decoded on this machine; thumbnails and logos are off',
      )
      return { state: 'unavailable', reason: response.reason }
    },
    kill: async () => {
      await child?.kill()
    },
    end,
  }
}
