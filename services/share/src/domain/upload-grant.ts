import { type Identity, type UploadGrant, uploadGrantSchema } from '@floe/contracts'
import { type Share, workingEdition } from './share.ts'
import type { ShareSizes } from './share-sizes.ts'

/** For a caller who was just allowed to add files. The one place where a grant is made. */
export async function grantUpload(
  share: Share,
  { sizes, identity }: { sizes: Pick<ShareSizes, 'ofShare'>; identity: Identity | null },
): Promise<UploadGrant> {
  return uploadGrantSchema.parse({
    shareUid: share.uid,
    shareId: share.id,
    userId: share.creatorId,
    chargedTo: share.receiverId ?? share.creatorId,
    maxSizeBytes: await sizes.ofShare(share, identity),
    edition: workingEdition(share),
    isPublished: share.state === 'uploading',
  })
}
