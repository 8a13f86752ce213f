import type { FilePort } from '@floe/contracts'
import type { ShareStore } from './ports.ts'

export interface HeldSharesDeps {
  shares: Pick<ShareStore, 'listHeld' | 'release'>
  files: Pick<FilePort, 'measureShares'>
  clock: () => Date
}

const BATCH_SIZE = 100

/** Opens every held share none of whose files waits any more. */
export async function openScanned(
  { shares, files, clock }: HeldSharesDeps,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null
  for (;;) {
    signal.throwIfAborted()
    const held = await shares.listHeld({ after, limit: BATCH_SIZE })
    after = held.at(-1)?.uid ?? null
    if (after === null) return
    const measured = await files.measureShares({ shareUids: held.map(({ uid }) => uid) })
    const waiting = new Map(measured.map((one) => [one.shareUid, one.waiting ?? 0]))
    for (const share of held) {
      if (waiting.get(share.uid) === 0) await shares.release(share, clock())
    }
  }
}
