import { z } from 'zod'
import { tokenScopes, tokenScopeSchema } from './api-tokens.ts'

/** RFC 8628 §3.4 */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** Consonants: no word comes out, and none of them looks like a digit. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8

const userCodePattern = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`)

/** As somebody types it: case, dashes and blanks say nothing. */
export const userCodeSchema = z
  .string()
  .max(64)
  .transform((text) => text.toUpperCase().replaceAll(/[\s\p{Dash}]/gu, ''))
  .pipe(z.string().regex(userCodePattern, 'Must be a code of eight letters'))

/** As people read it: `WDJB-MJHT`. */
export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

const clientNameSchema = z.string().trim().min(1).max(60)

export const deviceAuthorizationInputSchema = z.object({
  client_id: clientNameSchema,
  /** What people call it, such as the name of the computer. */
  client_name: clientNameSchema.optional(),
  /** Scopes of tokens, with a blank between them: others are `invalid_scope`, as RFC 6749 §5.2 has it. */
  scope: z.string().max(500).default('shares:read shares:write files:read'),
})

/** The scopes that a program asks for. */
export const deviceScopesSchema = z
  .string()
  .transform((text) => text.split(' ').filter((scope) => scope !== ''))
  .pipe(z.array(tokenScopeSchema).min(1))
  .transform((scopes) => tokenScopes.filter((scope) => scopes.includes(scope)))

/** RFC 8628 §3.2 */
export const deviceAuthorizationSchema = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  /** Seconds. */
  expires_in: z.number(),
  /** Seconds between two requests for the token. */
  interval: z.number(),
})

export const deviceTokenInputSchema = z.object({
  /** `DEVICE_CODE_GRANT`: others are `unsupported_grant_type`, as RFC 6749 §5.2 has it. */
  grant_type: z.string().min(1),
  /** Other grants have none, and are to be told that it is them. */
  device_code: z.string().max(200).default(''),
  client_id: clientNameSchema,
})

/** RFC 6749 §5.1 */
export const deviceTokenSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.number(),
  scope: z.string(),
})

/** What the page shows to whom is asked. */
export const deviceRequestSchema = z.object({
  userCode: z.string(),
  clientName: z.string(),
  scopes: z.array(tokenScopeSchema),
  address: z.string(),
  createdAt: z.string(),
})
export type DeviceRequest = z.output<typeof deviceRequestSchema>

export const deviceDecisionSchema = z.object({ approve: z.boolean() })
