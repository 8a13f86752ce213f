import { passkeyRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute, implementPublic } from '@floe/http'
import type { PasskeySignIns } from '../domain/passkey-sign-ins.ts'
import type { Passkeys } from '../domain/passkeys.ts'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requireAnySession, requireSession } from './request.ts'
import { setSignInCookies } from './session-cookies.ts'

export function createPasskeyRoutes({
  passkeys,
  passkeySignIns,
  sessions,
}: {
  passkeys: Passkeys
  passkeySignIns: PasskeySignIns
  sessions: Sessions
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  const anySession = requireAnySession(sessions)
  return [
    implement(passkeyRoutes.listPasskeys, anySession, (_call, session) => passkeys.list(session)),

    implement(passkeyRoutes.beginPasskey, anySession, ({ body }, session) =>
      passkeys.begin(session, body.password),
    ),

    implement(passkeyRoutes.addPasskey, anySession, ({ req, body }, session) =>
      passkeys.add(session, body, clientOf(req)),
    ),

    implement(passkeyRoutes.renamePasskey, signedIn, ({ params, body }, session) =>
      passkeys.rename(session, params.passkeyId, body.name),
    ),

    implement(passkeyRoutes.removePasskey, signedIn, async ({ req, params, body }, session) => {
      const removal = { id: params.passkeyId, password: body.password }
      await passkeys.remove(session, removal, clientOf(req))
    }),

    implementPublic(passkeyRoutes.requestPasskey, ({ body }) =>
      passkeySignIns.request(body.loginToken),
    ),

    implementPublic(passkeyRoutes.signInPasskey, async ({ req, res, body }) =>
      setSignInCookies(res, await passkeySignIns.signIn(body, clientOf(req))),
    ),
  ]
}
