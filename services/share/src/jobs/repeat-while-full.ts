import type { JobRun } from '@floe/runtime'

/** Rows of one transaction: a stopping process waits for one batch, not for all. */
export const BATCH_SIZE = 500

export async function repeatWhileFull(run: JobRun, workOff: () => Promise<number>): Promise<void> {
  let count = BATCH_SIZE
  while (count === BATCH_SIZE) {
    run.signal.throwIfAborted()
    count = await workOff()
  }
}
