import { type ReadGrant, readGrantSchema } from '@floe/contracts'
import { editionOfVisitors, type Share, workingEdition } from './share.ts'

/** For a caller who was just allowed to read: the share as it is published. */
export function grantRead(share: Share, { isOwner } = { isOwner: false }): ReadGrant {
  return makeGrant(share, { edition: editionOfVisitors(share), isOwner })
}

/** For its maker: the share as it was completed, held or not. */
export function grantCompletedRead(share: Share): ReadGrant {
  return makeGrant(share, { edition: share.edition, isOwner: true })
}

/** For the lists of callers who may change the share: as it is being worked on. */
export function grantWorkingRead(share: Share): ReadGrant {
  return makeGrant(share, { edition: workingEdition(share), isOwner: true })
}

/** The one place where a grant is made. */
function makeGrant(
  { uid, id, passwordHash, archiveLevel, state }: Share,
  rest: Pick<ReadGrant, 'edition' | 'isOwner'>,
): ReadGrant {
  return readGrantSchema.parse({
    shareUid: uid,
    shareId: id,
    hasPassword: passwordHash !== null,
    // What was never published has no archive, and visits settle the level of everything else.
    archiveLevel: archiveLevel ?? 0,
    isUploading: state === 'uploading',
    ...rest,
  })
}
