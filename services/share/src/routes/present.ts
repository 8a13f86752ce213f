import {
  type AdminShare,
  type ComingFiles,
  type CompletedShareView,
  countFiles,
  expirationToWire,
  type OwnReverseShare,
  type OwnShare,
  type ReceivedShare,
  type ReverseShareView,
  type SharedFile,
  type ShareActivity,
  type ShareReceipt,
  type ShareView,
} from '@floe/contracts'
import type { ShareActivityContent } from '../domain/activity.ts'
import type { ComingFiles as ComingContent } from '../domain/coming-files.ts'
import type { CompletedShare } from '../domain/editing.ts'
import type { ListedFile, OwnShareContent, ShareContent, ShareSummary } from '../domain/listing.ts'
import type { ReverseShare } from '../domain/reverse-share.ts'
import type { ReceivedContent, ReverseShareContent } from '../domain/received-shares.ts'
import type { Share } from '../domain/share.ts'

export function presentReceipt({ id, name, expiresAt, description }: Share): ShareReceipt {
  return { id, name, expiration: expirationToWire(expiresAt), description }
}

export function presentCompleted({ share, notifiesReceiver }: CompletedShare): CompletedShareView {
  return {
    ...presentReceipt(share),
    ...(notifiesReceiver !== null && { notifyReverseShareCreator: notifiesReceiver }),
    ...presentHeld(share),
  }
}

export function presentShare({ share, files, coming, creatorName }: ShareContent): ShareView {
  return {
    ...presentReceipt(share),
    files: files.map((file) => presentFile(share, file)),
    ...presentCreator(creatorName),
    hasPassword: share.passwordHash !== null,
    ...presentEncrypted(share),
    size: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ...(coming && { coming: presentComing(coming) }),
  }
}

function presentComing({ fileCount, sizeBytes, receivedBytes, files }: ComingContent): ComingFiles {
  return {
    fileCount,
    size: sizeBytes,
    received: receivedBytes,
    files: files.map((file) => ({
      name: file.name,
      size: String(file.sizeBytes),
      received: String(file.receivedBytes),
    })),
  }
}

function presentFile(
  { isEncrypted }: Share,
  { id, name, sizeBytes, sha256, thumbnail, scan }: ListedFile,
): SharedFile {
  return {
    id,
    name,
    size: String(sizeBytes),
    ...(sha256 !== null && { sha256 }),
    ...(thumbnail && { thumbnail }),
    // What a scanner says of ciphertext says nothing of the file.
    ...(scan && !isEncrypted && { scan }),
  }
}

export function presentOwnShare(content: OwnShareContent): OwnShare {
  const { share, recipients } = content
  return {
    ...presentShare(content),
    views: share.views,
    createdAt: share.createdAt.toISOString(),
    recipients: [...recipients],
    security: {
      passwordProtected: share.passwordHash !== null,
      maxViews: share.maxViews,
      ...(share.restrictsToRecipients && { restrictToRecipients: true }),
    },
    notifyOnDownload: share.notifyOnDownload,
    state: share.state,
    ...(share.reverseShareId !== null && {
      reverseShare: { id: share.reverseShareId, publicAccess: !share.isPrivate },
    }),
    ...presentSender(share),
    ...presentKept(content),
    ...presentHeld(share),
  }
}

export function presentActivity({
  share,
  viewHours,
  downloads: { hours, archive, files },
}: ShareActivityContent): ShareActivity {
  return {
    id: share.id,
    name: share.name,
    ...presentEncrypted(share),
    createdAt: share.createdAt.toISOString(),
    views: { total: share.views, hours: [...viewHours] },
    downloads: {
      total: files.reduce((sum, { total }) => sum + total, archive.total),
      hours,
    },
    archive,
    files: files.map(({ sizeBytes, ...file }) => ({ ...file, size: String(sizeBytes) })),
  }
}

export function presentSummary(summary: ShareSummary): AdminShare {
  const { share, sizeBytes, creatorName } = summary
  return {
    ...presentReceipt(share),
    views: share.views,
    createdAt: share.createdAt.toISOString(),
    size: sizeBytes,
    state: share.state,
    ...presentCreator(creatorName),
    ...presentEncrypted(share),
    ...(share.reverseShareId !== null && { viaReverseShare: true }),
    ...presentKept(summary),
    ...presentHeld(share),
  }
}

function presentKept({ keptUntil }: { keptUntil: Date | null }): { keptUntil?: string } {
  return keptUntil === null ? {} : { keptUntil: keptUntil.toISOString() }
}

function presentHeld({ visibleEdition }: Share): { waitsForScan?: true } {
  return visibleEdition === null ? {} : { waitsForScan: true }
}

function presentEncrypted({ isEncrypted }: Share): { encrypted?: true } {
  return isEncrypted ? { encrypted: true } : {}
}

function presentCreator(name: string | null): { creator?: { username: string } } {
  return name === null ? {} : { creator: { username: name } }
}

function presentSender({ senderName }: Share): { senderName?: string } {
  return senderName === null ? {} : { senderName }
}

export function presentReverseShare({
  reverseShare,
  received,
}: ReverseShareContent): OwnReverseShare {
  return {
    ...presentLimits(reverseShare),
    name: reverseShare.name,
    createdAt: reverseShare.createdAt.toISOString(),
    sendEmailNotification: reverseShare.sendsNotice,
    publicAccess: reverseShare.isPublic,
    ...(reverseShare.receiver && { receiver: reverseShare.receiver }),
    shares: received.map(presentReceived),
  }
}

export function presentEntrance(reverseShare: ReverseShare, isUnlocked: boolean): ReverseShareView {
  return {
    ...presentLimits(reverseShare),
    name: isUnlocked ? reverseShare.name : null,
    isUnlocked,
    ...(reverseShare.receiver && { publicKey: reverseShare.receiver.publicKey }),
  }
}

function presentLimits(reverseShare: ReverseShare) {
  return {
    id: reverseShare.id,
    token: reverseShare.token,
    maxShareSize: String(reverseShare.maxSizeBytes),
    shareExpiration: reverseShare.expiresAt.toISOString(),
    remainingUses: reverseShare.remainingUses,
    simplified: reverseShare.isSimplified,
    hasPassword: reverseShare.passwordHash !== null,
    askSenderName: reverseShare.asksSenderName,
  }
}

function presentReceived(content: ReceivedContent): ReceivedShare {
  const { share, sizeBytes, fileCount, creatorName } = content
  return {
    ...presentReceipt(share),
    views: share.views,
    createdAt: share.createdAt.toISOString(),
    size: sizeBytes,
    fileCount: countFiles(fileCount, share.isEncrypted),
    hasPassword: share.passwordHash !== null,
    ...(share.sealedKey !== null && { sealedKey: share.sealedKey }),
    ...presentCreator(creatorName),
    ...presentSender(share),
    ...presentKept(content),
    ...presentHeld(share),
  }
}
