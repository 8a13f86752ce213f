import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  changePasswordSchema,
  createUserSchema,
  signInSchema,
  updateOwnUserSchema,
  updateUserSchema,
} from './identity.ts'
import { reverseSharePasswordSchema } from './reverse-shares.ts'
import { createShareSchema, shareTokenInputSchema } from './shares.ts'

const password = 'a long password'
const share = { id: 'abc', expiration: '1-day', recipients: [] }
const user = { username: 'someone', email: 'someone@example.org' }

test.each<[string, z.ZodType, Record<string, unknown>, Record<string, unknown>]>([
  ['the visit of a share', shareTokenInputSchema, {}, { password: null }],
  ['the password of a reverse share', reverseSharePasswordSchema, {}, { password: null }],
  ['signing in by username', signInSchema, { username: 'someone', password }, { email: null }],
  ['signing in by e-mail', signInSchema, { email: user.email, password }, { username: null }],
  ['a password', changePasswordSchema, { password }, { oldPassword: null }],
  ['a user to be invited', createUserSchema, user, { password: null }],
  ['an own user', updateOwnUserSchema, {}, { username: null, email: null }],
  ['a user', updateUserSchema, { isAdmin: true }, { username: null, email: null, password: null }],
  ['a new share', createShareSchema, share, { security: null, name: null, description: null }],
  [
    'the security of a new share',
    createShareSchema,
    { ...share, security: {} },
    { security: { password: null, maxViews: null }, notifyOnDownload: null },
  ],
])('takes null in %s for a member that is absent', (_what, schema, rest, withNull) => {
  const given = schema.parse({ ...rest, ...withNull })
  expect(withoutNullish(given)).toEqual(withoutNullish(schema.parse(rest)))
})

/** As a reader of the members sees them. */
function withoutNullish(parsed: unknown): unknown {
  return JSON.parse(JSON.stringify(parsed, (_name, value: unknown) => value ?? undefined))
}
