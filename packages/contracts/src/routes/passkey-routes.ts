import { z } from 'zod'
import { confirmationSchema, tokensSchema } from '../identity.ts'
import { uuidSchema } from '../names.ts'
import {
  addPasskeySchema,
  passkeyNameSchema,
  passkeyOptionsSchema,
  passkeyRequestSchema,
  passkeySchema,
  signInPasskeySchema,
} from '../passkeys.ts'
import { defineRoute, sessionErrors } from './route.ts'

const base = { tag: 'Auth', scope: 'session' } as const
const own = { ...base, access: 'user' } as const
const one = { params: z.object({ passkeyId: uuidSchema }) }

export const passkeyRoutes = {
  listPasskeys: defineRoute({
    ...own,
    method: 'get',
    path: '/api/auth/passkeys',
    summary: 'List the passkeys of your account, the newest first',
    status: 200,
    response: z.array(passkeySchema),
    errors: ['forbidden'],
  }),
  beginPasskey: defineRoute({
    ...own,
    method: 'post',
    path: '/api/auth/passkeys/options',
    summary: 'What the browser is asked to make a passkey (WebAuthn)',
    body: z.object({ password: confirmationSchema }),
    status: 200,
    response: passkeyOptionsSchema,
    errors: [
      'validation_failed',
      'forbidden',
      'wrong_password',
      'recent_sign_in_required',
      'passkeys_unavailable',
      'too_many_passkeys',
      'too_many_requests',
    ],
  }),
  addPasskey: defineRoute({
    ...own,
    method: 'post',
    path: '/api/auth/passkeys',
    summary:
      'Add the passkey that the browser made. From the first one on a password alone does not sign in; recovery codes come with it where there are none',
    body: addPasskeySchema,
    status: 201,
    response: z.object({ passkey: passkeySchema, recoveryCodes: z.array(z.string()).nullable() }),
    errors: [
      'validation_failed',
      'forbidden',
      'passkeys_unavailable',
      'passkey_refused',
      'directory_unavailable',
      'too_many_passkeys',
    ],
  }),
  renamePasskey: defineRoute({
    ...own,
    ...one,
    method: 'patch',
    path: '/api/auth/passkeys/:passkeyId',
    summary: 'Rename a passkey',
    body: z.object({ name: passkeyNameSchema }),
    status: 200,
    response: passkeySchema,
    errors: ['validation_failed', ...sessionErrors, 'passkey_not_found'],
  }),
  removePasskey: defineRoute({
    ...own,
    ...one,
    method: 'post',
    path: '/api/auth/passkeys/:passkeyId/remove',
    summary: 'Remove a passkey; with the last one the recovery codes go, unless TOTP is enabled',
    body: z.object({ password: confirmationSchema }),
    status: 204,
    response: null,
    errors: [
      'validation_failed',
      ...sessionErrors,
      'wrong_password',
      'recent_sign_in_required',
      'passkey_not_found',
      'too_many_requests',
    ],
  }),
  requestPasskey: defineRoute({
    ...base,
    access: 'anyone',
    method: 'post',
    path: '/api/auth/signIn/passkey/options',
    summary:
      'What the browser is asked to sign in by a passkey, and the other ways of the second step',
    body: passkeyRequestSchema,
    status: 200,
    response: z.object({
      /** `null` where the account has no passkey. */
      options: passkeyOptionsSchema.nullable(),
      /** Codes of an app work as well. */
      hasTotp: z.boolean(),
    }),
    errors: [
      'validation_failed',
      'unauthorized',
      'token_expired',
      'passkeys_unavailable',
      'password_sign_in_disabled',
    ],
  }),
  signInPasskey: defineRoute({
    ...base,
    access: 'anyone',
    method: 'post',
    path: '/api/auth/signIn/passkey',
    summary: 'Sign in by a passkey: alone, or as the second step',
    body: signInPasskeySchema,
    status: 200,
    response: tokensSchema,
    errors: [
      'validation_failed',
      'unauthorized',
      'token_expired',
      'passkeys_unavailable',
      'password_sign_in_disabled',
      'passkey_refused',
      'account_waiting',
    ],
  }),
}
