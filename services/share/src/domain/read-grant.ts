import { type ReadGrant, readGrantSchema } from '@floe/contracts'
import type { Share } from './share.ts'

/** The one place where a grant is made; every caller has just decided that the request may read. */
export function grantRead({ uid, id, passwordHash }: Share): ReadGrant {
  return readGrantSchema.parse({
    shareUid: uid,
    shareId: id,
    hasPassword: passwordHash !== null,
  })
}
