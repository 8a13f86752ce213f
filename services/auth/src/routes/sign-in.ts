import { authRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute, implementPublic, requestLanguage } from '@floe/http'
import type { DirectoryAccounts } from '../domain/directory.ts'
import type { EmailProofs } from '../domain/email-proofs.ts'
import type { SecondSteps } from '../domain/second-step.ts'
import type { Sessions } from '../domain/sessions.ts'
import type { SignIns } from '../domain/sign-in.ts'
import type { SignUps } from '../domain/sign-up.ts'
import { presentAccount } from './present-user.ts'
import { clientOf, requireAdmin } from './request.ts'
import { setSignInCookies } from './session-cookies.ts'

export function createSignInRoutes({
  signUps,
  signIns,
  secondSteps,
  emailProofs,
  directoryAccounts,
  sessions,
}: {
  signUps: SignUps
  signIns: SignIns
  secondSteps: SecondSteps
  emailProofs: EmailProofs
  directoryAccounts: DirectoryAccounts
  sessions: Sessions
}): ImplementedRoute[] {
  return [
    implementPublic(authRoutes.signUp, async ({ req, res, body }) => {
      const { user, ...signedIn } = await signUps.signUp(body, clientOf(req), requestLanguage(req))
      const tokens = setSignInCookies(res, signedIn)
      const mustVerifyEmail = await emailProofs.mustVerify(user)
      const account = { ...presentAccount(user), ...(mustVerifyEmail && { mustVerifyEmail }) }
      return { ...tokens, user: account }
    }),

    implementPublic(authRoutes.signIn, async ({ req, res, body }) => {
      const outcome = await signIns.signIn(body, clientOf(req))
      if ('loginToken' in outcome) return outcome
      return setSignInCookies(res, outcome)
    }),

    implementPublic(authRoutes.signInTotp, async ({ req, res, body }) => {
      const signedIn = await secondSteps.finish(body, clientOf(req))
      return setSignInCookies(res, signedIn)
    }),

    implement(authRoutes.tryDirectory, requireAdmin(sessions), ({ body }) =>
      directoryAccounts.tryOut(body.username ?? null),
    ),
  ]
}
