import { z } from 'zod'
import {
  deviceAuthorizationInputSchema,
  deviceAuthorizationSchema,
  deviceDecisionSchema,
  deviceRequestSchema,
  deviceTokenInputSchema,
  deviceTokenSchema,
  userCodeSchema,
} from '../device-codes.ts'
import { defineRoute, sessionErrors } from './route.ts'

const params = z.object({ userCode: userCodeSchema })

/** Sign-in of a program without a browser of its own (RFC 8628). */
export const deviceCodeRoutes = {
  authorizeDevice: defineRoute({
    method: 'post',
    path: '/api/oauth/device/authorize',
    tag: 'Tokens',
    summary: 'Ask for a token that somebody approves in a browser (RFC 8628)',
    access: 'anyone',
    scope: 'visitor',
    form: 'or JSON',
    body: deviceAuthorizationInputSchema,
    status: 200,
    response: deviceAuthorizationSchema,
    errors: ['validation_failed', 'invalid_scope', 'too_many_requests'],
  }),
  redeemDeviceCode: defineRoute({
    method: 'post',
    path: '/api/oauth/device/token',
    tag: 'Tokens',
    summary: 'Take the token once it was approved; until then `authorization_pending`',
    access: 'anyone',
    scope: 'visitor',
    form: 'or JSON',
    body: deviceTokenInputSchema,
    status: 200,
    response: deviceTokenSchema,
    errors: [
      'validation_failed',
      'authorization_pending',
      'slow_down',
      'access_denied',
      'expired_token',
      'invalid_grant',
      'unsupported_grant_type',
      'too_many_tokens',
    ],
  }),
  getDeviceRequest: defineRoute({
    method: 'get',
    path: '/api/oauth/device/:userCode',
    tag: 'Tokens',
    summary: 'What a program asks for with this code',
    access: 'user',
    scope: 'session',
    params,
    status: 200,
    response: deviceRequestSchema,
    errors: ['validation_failed', ...sessionErrors, 'device_code_not_found', 'too_many_requests'],
  }),
  decideDeviceRequest: defineRoute({
    method: 'post',
    path: '/api/oauth/device/:userCode',
    tag: 'Tokens',
    summary: 'Approve or refuse what a program asks for with this code',
    access: 'user',
    scope: 'session',
    params,
    body: deviceDecisionSchema,
    status: 204,
    response: null,
    errors: [
      'validation_failed',
      ...sessionErrors,
      'email_not_verified',
      'device_code_not_found',
      'too_many_requests',
    ],
  }),
}
