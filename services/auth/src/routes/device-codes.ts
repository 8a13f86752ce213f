import {
  DEVICE_CODE_GRANT,
  deviceCodeRoutes,
  deviceScopesSchema,
  pagePath,
  showUserCode,
  type TokenScope,
  tokenScopes,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute, implementPublic, plainAddress } from '@floe/http'
import type { DeviceCodes } from '../domain/device-codes.ts'
import type { Sessions } from '../domain/sessions.ts'
import { clientOf, requireSession } from './request.ts'

export function createDeviceCodeRoutes({
  deviceCodes,
  sessions,
}: {
  deviceCodes: DeviceCodes
  sessions: Sessions
}): ImplementedRoute[] {
  const signedIn = requireSession(sessions)
  return [
    implementPublic(deviceCodeRoutes.authorizeDevice, async ({ req, res, body }) => {
      res.set('Cache-Control', 'no-store')
      const { client_id: clientId, client_name: clientName } = body
      const asked = { clientId, clientName, scopes: readScopes(body.scope) }
      const begun = await deviceCodes.begin(asked, clientOf(req))
      const userCode = showUserCode(begun.userCode)
      const page = begun.settings['general.appUrl'].replace(/\/+$/, '') + pagePath('device')
      return {
        device_code: begun.deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?code=${userCode}`,
        expires_in: begun.lifetimeSeconds,
        interval: begun.intervalSeconds,
      }
    }),

    implementPublic(deviceCodeRoutes.redeemDeviceCode, async ({ req, res, body }) => {
      res.set('Cache-Control', 'no-store')
      if (body.grant_type !== DEVICE_CODE_GRANT) {
        throw new AppError('unsupported_grant_type', { values: { type: DEVICE_CODE_GRANT } })
      }
      const key = { deviceCode: body.device_code, clientId: body.client_id }
      const { token, scopes, expiresInSeconds } = await deviceCodes.redeem(key, clientOf(req))
      return {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: expiresInSeconds,
        scope: scopes.join(' '),
      }
    }),

    implement(deviceCodeRoutes.getDeviceRequest, signedIn, async ({ req, params }, { user }) => {
      const asked = await deviceCodes.find(user, params.userCode, clientOf(req))
      return {
        ...asked,
        userCode: showUserCode(asked.userCode),
        address: plainAddress(asked.address),
        createdAt: asked.createdAt.toISOString(),
      }
    }),

    implement(
      deviceCodeRoutes.decideDeviceRequest,
      signedIn,
      async ({ req, params, body }, { user }) => {
        await deviceCodes.decide(user, { ...params, ...body }, clientOf(req))
      },
    ),
  ]
}

function readScopes(text: string): TokenScope[] {
  const scopes = deviceScopesSchema.safeParse(text)
  if (scopes.success) return scopes.data
  throw new AppError('invalid_scope', { values: { scopes: tokenScopes.join(', ') } })
}
