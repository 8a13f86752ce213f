import type { DraftTerms } from '../share/draft-terms.ts'
import type { CompletedShare, Sharing } from './complete-share.ts'
import type { ShareEncryption } from './encrypted/share-encryption.ts'
import { createEarlyOpening } from './early-opening.ts'
import type { UploadSession } from './upload-session.ts'

export type JobStage =
  /** Files are sent while the rest is filled in. `error` is why sharing failed. */
  | { name: 'draft'; error: unknown }
  /** `opened` once its link is shared; `canOpen` where that may be done while files are sent. */
  | { name: 'uploading'; canOpen: boolean; opened: CompletedShare | null }
  | { name: 'opening' }
  | { name: 'finishing' }
  | { name: 'finished'; receipt: CompletedShare }
  | { name: 'finishFailed'; error: unknown }
  /** Every file was taken out again, so there is nothing to share. */
  | { name: 'empty' }

type Finish = () => Promise<CompletedShare>

/** The reverse share that a share is sent through. */
export interface SentThrough {
  token: string
  /** Its sender has no account to be known by. */
  isGuest: boolean
}

/** Files on their way and, behind the last one, the step that makes the share visible. */
export interface UploadJob {
  readonly session: UploadSession
  /** What people know it by. */
  readonly name: string
  readonly reverseShare: SentThrough | null
  /** Of an encrypted share. */
  readonly encryption: ShareEncryption | null
  /** What was filled in so far, for a draft that is left and shown again. */
  getTerms(): DraftTerms | null
  keepTerms(terms: DraftTerms): void
  subscribe(listener: () => void): () => void
  getStage(): JobStage
  /** Decides about a draft: it is shared as soon as its last byte is there. */
  share(sharing: Sharing): void
  /** Shares the link of what was decided now, while files are sent. */
  open(): void
  /** Tries the last step again. */
  finish(): void
  /** Stops sending; what is on the server stays there. */
  close(): void
  /** Stops sending, and deletes from the server what was on its way there. */
  end(): void
}

export interface JobOptions {
  session: UploadSession
  name: string
  encryption?: ShareEncryption | null
  reverseShare?: SentThrough | null
  terms?: DraftTerms | null
  /** Absent for a draft, which waits for `share`. */
  finish?: Finish
  /** Of a share whose link was opened before. */
  reopened?: { sharing: Sharing; receipt: CompletedShare }
  /** Told when the share has got another link. */
  onMoved?: (shareId: string, newId: string) => void
  /** What goes around the last step. */
  conclude?: (finish: Finish) => Promise<CompletedShare>
}

export function createUploadJob({
  session,
  name,
  encryption = null,
  reverseShare = null,
  terms: first = null,
  finish: given,
  reopened,
  onMoved = () => undefined,
  conclude = (finish) => finish(),
}: JobOptions): UploadJob {
  const opening = createEarlyOpening({ session, reverseShare, encryption, reopened, onMoved })
  let terms = first
  const isDraft = given === undefined && !reopened
  const { subscribe, getStage, enter, silence } = createStages(
    isDraft ? { name: 'draft', error: null } : uploading(),
  )

  function uploading(): JobStage {
    return { name: 'uploading', canOpen: opening.canOpen(), opened: opening.receipt }
  }

  function runFinish() {
    const finish = given ?? opening.sharing?.finish
    if (!finish) return
    enter({ name: 'finishing' })
    conclude(finish).then(
      (receipt) => enter({ name: 'finished', receipt }),
      // Another link or expiry may be what helps, until people have the link.
      (error: unknown) =>
        enter({ name: isDraft && opening.receipt === null ? 'draft' : 'finishFailed', error }),
    )
  }

  function runOpen() {
    if (getStage().name !== 'uploading' || opening.sharing === null || !opening.canOpen()) return
    enter({ name: 'opening' })
    opening.open(opening.sharing).then(proceed, (error: unknown) => enter({ name: 'draft', error }))
  }

  function proceed() {
    enter(uploading())
    check()
  }

  function check() {
    const snapshot = session.getSnapshot()
    if (getStage().name !== 'uploading') return
    opening.announce(snapshot)
    if (!snapshot.isFinished) return
    if (snapshot.fileCount === 0) enter({ name: 'empty' })
    else runFinish()
  }

  function stop(endSession: () => void) {
    silence()
    endSession()
  }

  session.subscribe(check)
  check()
  return {
    session,
    name,
    reverseShare,
    encryption,
    getTerms: () => terms,
    keepTerms: (next) => void (terms = next),
    subscribe,
    getStage,
    share(sharing) {
      opening.sharing = sharing
      proceed()
    },
    open: runOpen,
    finish: runFinish,
    close: () => stop(session.close),
    end: () => stop(session.end),
  }
}

function createStages(first: JobStage) {
  let stage = first
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    getStage: () => stage,
    enter(next: JobStage) {
      stage = next
      for (const listener of listeners) listener()
    },
    silence: () => listeners.clear(),
  }
}
