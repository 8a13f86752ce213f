import { z } from 'zod'
import { expirationSchema } from './duration.ts'

/** What the text of every API token begins with: secret scanners know it by that. */
export const API_TOKEN_PREFIX = 'floe_'

/** What a token may do of what its owner may: a noun, and a verb. */
export const tokenScopes = [
  'shares:read',
  'shares:write',
  'files:read',
  'requests:read',
  'requests:write',
  'webhooks:write',
  'account:read',
  'admin:read',
  'admin:users',
  'admin:settings',
] as const
export type TokenScope = (typeof tokenScopes)[number]
export const tokenScopeSchema = z.enum(tokenScopes)

/**
 * What a token needs to call a route: a scope; nothing but to be valid, since any visitor may call
 * it (`visitor`); or it cannot (`session`).
 */
export type RouteScope = TokenScope | 'visitor' | 'session'
export const routeScopeSchema = z.enum([...tokenScopes, 'visitor', 'session'])

/** A token as services hand it on: with the scope that it was let in by. */
export function writeTokenCredential(token: string, scope: TokenScope): string {
  return `${token} ${scope}`
}

/** `null` for anything else, such as the token of a session. */
export function readTokenCredential(text: string): { token: string; scope: TokenScope } | null {
  if (!text.startsWith(API_TOKEN_PREFIX)) return null
  const [token = '', rest] = text.split(' ', 2)
  const scope = tokenScopeSchema.safeParse(rest)
  return scope.success ? { token, scope: scope.data } : null
}

/** An address, or all that begin like it: `192.0.2.0/24`, `2001:db8::/32`. */
export const networkSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

export const createTokenSchema = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z
    .array(tokenScopeSchema)
    .min(1)
    .transform((scopes) => tokenScopes.filter((scope) => scopes.includes(scope))),
  expiresIn: expirationSchema.default('90-days'),
  /** Where it may be used; empty is everywhere. */
  networks: z.array(networkSchema).max(50).default([]),
  /** Bytes of one share that is made with it; absent leaves it to what its owner may. */
  maxShareSize: z.number().int().positive().max(Number.MAX_SAFE_INTEGER).nullish(),
  /** How long a share that is made with it may last; absent as above. */
  maxExpiration: expirationSchema.nullish(),
})
export type CreateTokenInput = z.output<typeof createTokenSchema>

export const apiTokenSchema = z.object({
  id: z.guid(),
  name: z.string(),
  /** Its first characters, by which a copy can be recognised. */
  prefix: z.string(),
  scopes: z.array(tokenScopeSchema),
  networks: z.array(z.string()),
  maxShareSize: z.number().nullable(),
  maxExpiration: z.string().nullable(),
  createdAt: z.string(),
  /** `null` is never. */
  expiresAt: z.string().nullable(),
  lastUse: z.object({ at: z.string(), address: z.string(), userAgent: z.string() }).nullable(),
})
export type ApiToken = z.output<typeof apiTokenSchema>

/** The only time that the token itself is told. */
export const createdTokenSchema = apiTokenSchema.extend({ token: z.string() })
export type CreatedToken = z.output<typeof createdTokenSchema>
