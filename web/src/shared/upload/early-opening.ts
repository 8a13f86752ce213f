import { announcementOf } from './announcement.ts'
import type { CompletedShare, Sharing } from './complete-share.ts'
import type { ShareEncryption } from './encrypted/share-encryption.ts'
import type { SessionSnapshot } from './session-snapshot.ts'
import type { SentThrough } from './upload-job.ts'
import type { UploadSession } from './upload-session.ts'

export interface EarlyOpening {
  /** What was decided about the share; null while nobody has. */
  sharing: Sharing | null
  /** Set once people can have the link. */
  receipt: CompletedShare | null
}

interface Options {
  session: UploadSession
  /** What is sent to somebody is theirs to see once it is complete. */
  reverseShare: SentThrough | null
  /** What is encrypted has no names before its end. */
  encryption: ShareEncryption | null
  /** Of a share whose link was opened before. */
  reopened: { sharing: Sharing; receipt: CompletedShare } | undefined
  onMoved: (shareId: string, newId: string) => void
}

/** The link of a share that is given away while its files are sent. */
export function createEarlyOpening({
  session,
  reverseShare,
  encryption,
  reopened,
  onMoved,
}: Options) {
  let announcedCount = session.getSnapshot().fileCount
  const opening: EarlyOpening = {
    sharing: reopened?.sharing ?? null,
    receipt: reopened?.receipt ?? null,
  }
  const isPossible = reverseShare === null && encryption === null
  return Object.assign(opening, {
    canOpen: () => isPossible && opening.sharing !== null && opening.receipt === null,
    async open(sharing: Sharing): Promise<void> {
      const announced = announcementOf(session.getSnapshot())
      const receipt = await sharing.open(announced)
      announcedCount = announced.fileCount
      opening.receipt = receipt
      const { shareId } = session
      if (receipt.id === shareId) return
      session.moveTo(receipt.id)
      onMoved(shareId, receipt.id)
    },
    /** Visitors need not wait for what was taken out. */
    announce(snapshot: SessionSnapshot): void {
      if (opening.receipt === null || snapshot.fileCount === announcedCount) return
      announcedCount = snapshot.fileCount
      // One that is lost is replaced by the next, and at the end by the share itself.
      opening.sharing?.open(announcementOf(snapshot)).catch(() => undefined)
    },
  })
}
