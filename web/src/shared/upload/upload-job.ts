import type { CompletedShare } from './complete-share.ts'
import type { UploadSession } from './upload-session.ts'

export type JobStage =
  | { name: 'uploading' }
  | { name: 'finishing' }
  | { name: 'finished'; receipt: CompletedShare }
  | { name: 'finishFailed'; error: unknown }
  /** Every file was taken out again, so there is nothing to share. */
  | { name: 'empty' }

/** Files on their way and, behind the last one, the step that makes the share visible. */
export interface UploadJob {
  readonly session: UploadSession
  /** What people know it by. */
  readonly name: string
  subscribe(listener: () => void): () => void
  getStage(): JobStage
  /** Tries the last step again. */
  finish(): void
  /** Stops sending; what is on the server stays there. */
  close(): void
  /** Stops sending, and deletes from the server what was on its way there. */
  end(): void
}

export function createUploadJob({
  session,
  name,
  finish,
}: {
  session: UploadSession
  name: string
  finish: () => Promise<CompletedShare>
}): UploadJob {
  let stage: JobStage = { name: 'uploading' }
  const listeners = new Set<() => void>()

  function enter(next: JobStage) {
    stage = next
    for (const listener of listeners) listener()
  }

  function runFinish() {
    enter({ name: 'finishing' })
    finish().then(
      (receipt) => enter({ name: 'finished', receipt }),
      (error: unknown) => enter({ name: 'finishFailed', error }),
    )
  }

  function check() {
    const { isFinished, fileCount } = session.getSnapshot()
    if (stage.name !== 'uploading' || !isFinished) return
    if (fileCount === 0) enter({ name: 'empty' })
    else runFinish()
  }

  session.subscribe(check)
  check()
  return {
    session,
    name,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getStage: () => stage,
    finish: runFinish,
    close() {
      listeners.clear()
      session.close()
    },
    end() {
      listeners.clear()
      session.end()
    },
  }
}
