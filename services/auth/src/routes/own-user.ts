import { type AdminPort, authRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { accessToken, implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { Request } from 'express'
import type { EmailProofs } from '../domain/email-proofs.ts'
import type { OwnAccounts } from '../domain/own-account.ts'
import { lacksSecondFactor, type Sessions } from '../domain/sessions.ts'
import type { User } from '../domain/user.ts'
import type { Users } from '../domain/users.ts'
import { presentOwnUser } from './present-user.ts'
import { causeOf, requireSession } from './request.ts'
import { clearSessionCookies } from './session-cookies.ts'

export function createOwnUserRoutes({
  users,
  ownAccounts,
  emailProofs,
  sessions,
  admin,
}: {
  users: Users
  ownAccounts: OwnAccounts
  emailProofs: EmailProofs
  sessions: Sessions
  admin: AdminPort
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  const present = async (user: User) =>
    presentOwnUser(user, {
      pendingEmail: await ownAccounts.findPendingEmail(user.id),
      mustVerifyEmail: await emailProofs.mustVerify(user),
      mustSetUpSecondFactor: await lacksSecondFactor(admin, user),
    })

  /** Visitors too, where they may share: `null`. */
  async function requireUserOrVisitor({ req }: { req: Request }): Promise<User | null> {
    const session = await sessions.identifyAny(accessToken(req))
    if (session) return session.user
    const { 'share.allowUnauthenticatedShares': allowsVisitors } = await admin.settings({})
    if (!allowsVisitors) throw new AppError('forbidden')
    return null
  }

  return [
    implement(authRoutes.getOwnUser, requireUserOrVisitor, (_call, user) => {
      if (user) return present(user)
    }),

    implement(authRoutes.updateOwnUser, signedIn, async ({ req, res, body }, session) => {
      return present(await ownAccounts.update(session, body, causeOf(session.user, req, res)))
    }),

    implement(authRoutes.requestEmailVerification, signedIn, ({ req }, { user }) =>
      emailProofs.sendAgain(user, requestLanguage(req)),
    ),

    implement(authRoutes.deleteOwnUser, signedIn, async ({ req, res }, { user }) => {
      const deleted = await users.deleteOwn(user.id, causeOf(user, req, res))
      clearSessionCookies(res)
      return presentOwnUser(deleted, {
        pendingEmail: null,
        mustVerifyEmail: false,
        mustSetUpSecondFactor: false,
      })
    }),
  ]
}
