import {
  type AdminShare,
  expirationToWire,
  type OwnShare,
  type ShareReceipt,
  type ShareView,
} from '@floe/contracts'
import type { OwnShareContent, ShareContent, ShareSummary } from '../domain/listing.ts'
import type { Share } from '../domain/share.ts'

export function presentReceipt({ id, name, expiresAt, description }: Share): ShareReceipt {
  return { id, name, expiration: expirationToWire(expiresAt), description }
}

export function presentShare({ share, files, creatorName }: ShareContent): ShareView {
  return {
    ...presentReceipt(share),
    files: files.map(({ id, name, sizeBytes }) => ({ id, name, size: String(sizeBytes) })),
    ...presentCreator(creatorName),
    hasPassword: share.passwordHash !== null,
    size: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

export function presentOwnShare(content: OwnShareContent): OwnShare {
  const { share, recipients } = content
  return {
    ...presentShare(content),
    views: share.views,
    createdAt: share.createdAt.toISOString(),
    recipients: [...recipients],
    security: { passwordProtected: share.passwordHash !== null, maxViews: share.maxViews },
    notifyOnDownload: share.notifyOnDownload,
  }
}

export function presentSummary({ share, sizeBytes, creatorName }: ShareSummary): AdminShare {
  return {
    ...presentReceipt(share),
    views: share.views,
    createdAt: share.createdAt.toISOString(),
    size: sizeBytes,
    ...presentCreator(creatorName),
  }
}

function presentCreator(name: string | null): { creator?: { username: string } } {
  return name === null ? {} : { creator: { username: name } }
}
