import type { AuthPort, Identity, ReadGrant, SharePort, UploadGrant } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, requestCredentials } from '@floe/http'
import type { Request } from 'express'

type AuthorizeIdentity = (asked: { req: Request }) => Promise<Identity>

/** For calls of users who are signed in. */
export function requireUser(auth: Pick<AuthPort, 'identify'>): AuthorizeIdentity {
  return async ({ req }) => {
    const identity = await auth.identify({ accessToken: accessToken(req) })
    if (!identity) throw new AppError('forbidden')
    return identity
  }
}

/** For calls of administrators. */
export function requireAdmin(auth: Pick<AuthPort, 'identify'>): AuthorizeIdentity {
  const authorize = requireUser(auth)
  return async (asked) => {
    const identity = await authorize(asked)
    if (!identity.isAdmin) throw new AppError('forbidden')
    return identity
  }
}

interface AskedOfShare {
  req: Request
  params: { shareId: string }
}

/** For calls that read the share of their path. */
export function requireRead(
  share: Pick<SharePort, 'authorizeRead'>,
): (asked: AskedOfShare) => Promise<ReadGrant> {
  return ({ req, params: { shareId } }) =>
    share.authorizeRead({
      shareId,
      access: 'direct',
      credentials: requestCredentials(req, shareId),
    })
}

/** For calls that change the files of the share of their path. */
export function requireUpload(
  share: Pick<SharePort, 'authorizeUpload'>,
): (asked: AskedOfShare) => Promise<UploadGrant> {
  return ({ req, params: { shareId } }) =>
    share.authorizeUpload({ shareId, credentials: requestCredentials(req, shareId) })
}
