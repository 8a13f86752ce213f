import type { Lease, UploadProgress } from './upload-ports.ts'

const INTERVAL_MS = 2_000

/** Tells others how far an upload has come, at most so often; never fails and is never waited for. */
export type NoteReceived = (lease: Lease, receivedBytes: number) => void

/**
 * Checkpoints are rare, because what they say has to be safe. Those who wait for a file want to see
 * it come. A lease outlasts the requests of a sender who sends many in a row.
 */
export function createReceivedNotes({
  store,
  clock,
}: {
  store: Pick<UploadProgress, 'noteReceived'>
  clock: () => Date
}): NoteReceived {
  const notedAt = new WeakMap<Lease, number>()

  return (lease, receivedBytes) => {
    const now = clock().getTime()
    const last = notedAt.get(lease)
    // A clock set back must not keep anybody in the dark.
    if (last !== undefined && now >= last && now - last < INTERVAL_MS) return
    notedAt.set(lease, now)
    // What is over sooner costs nothing.
    if (last === undefined) return
    // The next checkpoint tells of a database that is away, and fails.
    store.noteReceived(lease, receivedBytes).catch(() => undefined)
  }
}
