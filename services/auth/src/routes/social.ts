import { type SocialProvider, socialRoutes } from '@floe/contracts'
import { AppError } from '@floe/errors'
import {
  accessToken,
  clearCookie,
  implement,
  type ImplementedRoute,
  implementPublic,
  parseCookies,
  requestLanguage,
  setCookie,
} from '@floe/http'
import type { Request, Response } from 'express'
import type { Sessions } from '../domain/sessions.ts'
import type { SocialSignIns } from '../domain/social.ts'
import type { SocialSignOuts } from '../domain/social-sign-outs.ts'
import { SOCIAL_ATTEMPT_TTL_MS } from '../domain/social-attempts.ts'
import { clientOf, requireAdmin, requireSession } from './request.ts'
import { setSignInCookies } from './session-cookies.ts'

export function createSocialRoutes({
  socialSignIns,
  socialSignOuts,
  sessions,
}: {
  socialSignIns: SocialSignIns
  socialSignOuts: SocialSignOuts
  sessions: Sessions
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  return [
    implementPublic(socialRoutes.listSocialProviders, () => socialSignIns.listProviders()),

    implement(socialRoutes.listSocialLinks, signedIn, async (_call, { user }) => {
      const links = await socialSignIns.listLinks(user.id)
      return Object.fromEntries(links.map((link) => [link.provider, link]))
    }),

    implementPublic(socialRoutes.beginSocialSignIn, async ({ req, res, params, query }) => {
      const session = await sessions.identify(accessToken(req))
      if (session && cameFromElsewhere(req)) throw new AppError('cross_site_request')
      const { provider, location, sealedAttempt } = await socialSignIns.depart({
        provider: params.provider,
        redirect: query.redirect ?? '/',
        session,
      })
      if (sealedAttempt !== null) {
        setCookie(res, attemptCookie(provider), sealedAttempt, {
          path: attemptPath(provider),
          maxAge: SOCIAL_ATTEMPT_TTL_MS,
        })
      }
      redirect(res, location)
    }),

    implementPublic(socialRoutes.finishSocialSignIn, async ({ req, res, params }) => {
      const { provider, location, signedIn } = await socialSignIns.arrive({
        provider: params.provider,
        query: queryOf(req),
        sealedAttempt: parseCookies(req).get(attemptCookie(params.provider)) ?? null,
        hasSession: accessToken(req) !== null,
        client: clientOf(req),
        language: requestLanguage(req),
      })
      clearCookie(res, attemptCookie(provider), attemptPath(provider))
      if (signedIn) setSignInCookies(res, signedIn)
      redirect(res, location)
    }),

    implementPublic(socialRoutes.receiveLogoutToken, async ({ req, res, body }) => {
      res.set('cache-control', 'no-store')
      await socialSignOuts.receive(body.logout_token, clientOf(req))
    }),

    implement(socialRoutes.trySocialProvider, requireAdmin(sessions), ({ params }) =>
      socialSignIns.tryOut(params.provider),
    ),

    implement(socialRoutes.unlinkSocialAccount, signedIn, async (call, { user }) => {
      const { req, res, params, body } = call
      const isConfirmed = body.confirm ?? false
      const location = await socialSignIns.unlink(user, params.provider, {
        isConfirmed,
        origin: clientOf(req),
      })
      if (location !== null) redirect(res, location)
    }),
  ]
}

/** A link on another site must not tie an account to the user who is signed in here. */
function cameFromElsewhere(req: Request): boolean {
  // A sibling subdomain is another site to us.
  return ['cross-site', 'same-site'].includes(req.get('sec-fetch-site') ?? '')
}

function attemptCookie(provider: string): string {
  return `oauth_${provider}_state`
}

function attemptPath(provider: SocialProvider): string {
  return `/api/oauth/callback/${provider}`
}

function queryOf(req: Request): URLSearchParams {
  return new URL(req.originalUrl, 'http://localhost').searchParams
}

function redirect(res: Response, location: string): void {
  res.redirect(302, location)
}
