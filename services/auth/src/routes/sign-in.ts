import { authRoutes } from '@floe/contracts'
import { type ImplementedRoute, implementPublic } from '@floe/http'
import type { SecondSteps } from '../domain/second-step.ts'
import type { SignIns } from '../domain/sign-in.ts'
import type { SignUps } from '../domain/sign-up.ts'
import { presentAccount } from './present-user.ts'
import { clientOf } from './request.ts'
import { setSignInCookies } from './session-cookies.ts'

export function createSignInRoutes({
  signUps,
  signIns,
  secondSteps,
}: {
  signUps: SignUps
  signIns: SignIns
  secondSteps: SecondSteps
}): ImplementedRoute[] {
  return [
    implementPublic(authRoutes.signUp, async ({ req, res, body }) => {
      const { user, ...signedIn } = await signUps.signUp(body, clientOf(req))
      setSignInCookies(res, signedIn)
      return { ...signedIn.tokens, user: presentAccount(user) }
    }),

    implementPublic(authRoutes.signIn, async ({ req, res, body }) => {
      const outcome = await signIns.signIn(body, clientOf(req))
      if ('loginToken' in outcome) return outcome
      setSignInCookies(res, outcome)
      return outcome.tokens
    }),

    implementPublic(authRoutes.signInTotp, async ({ req, res, body }) => {
      const signedIn = await secondSteps.finish(body, clientOf(req))
      setSignInCookies(res, signedIn)
      return signedIn.tokens
    }),
  ]
}
