import './without-eval.ts'
import { z } from 'zod'

export const renewalSchema = z.object({ accessToken: z.string() })

const claimsSchema = z.object({ exp: z.number() })

/** Milliseconds since the epoch, or `null` when the token does not say. */
export function tokenExpiry(token: string): number | null {
  try {
    const payload = token.split('.')[1] ?? ''
    const json: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const claims = claimsSchema.safeParse(json)
    return claims.success ? claims.data.exp * 1000 : null
  } catch {
    return null
  }
}
