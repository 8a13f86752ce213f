import { randomUUID } from 'node:crypto'
import type { Secrets } from '@floe/secrets'
import { z } from 'zod'

export const DEVICE_TTL_MS = 365 * 24 * 60 * 60 * 1000

const PURPOSE = 'device'
const MAX_TOKEN_LENGTH = 500

const deviceSchema = z.object({ id: z.guid(), expiresAt: z.number() })

/**
 * Browsers in which somebody has signed in to an account before. Wrong passwords typed there are
 * counted apart from those of anonymous visitors, who otherwise could lock the owner out.
 */
export interface Devices {
  /** A token for one year and one account; a browser known to the account stays the same device. */
  issue(userId: string, held: string | null): string
  /** The device's id; `null` unless the token is ours, of this account, and has not expired. */
  recognise(userId: string, token: string | null): string | null
}

export function createDevices({
  secrets,
  clock,
}: {
  secrets: Secrets
  clock: () => Date
}): Devices {
  function recognise(userId: string, token: string | null): string | null {
    if (token === null || token.length > MAX_TOKEN_LENGTH) return null
    const opened = secrets.open(PURPOSE, userId, Buffer.from(token, 'base64url'))
    if (opened === null) return null
    const { id, expiresAt } = deviceSchema.parse(JSON.parse(opened))
    return expiresAt > clock().getTime() ? id : null
  }

  return {
    recognise,
    issue(userId, held) {
      const id = recognise(userId, held) ?? randomUUID()
      const expiresAt = clock().getTime() + DEVICE_TTL_MS
      return secrets.seal(PURPOSE, userId, JSON.stringify({ id, expiresAt })).toString('base64url')
    },
  }
}
