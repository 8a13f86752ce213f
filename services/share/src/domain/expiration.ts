import {
  addDuration,
  END_OF_TIME_MS,
  expirationSchema,
  parseExpiration,
  type SharingRules,
} from '@floe/contracts'
import { AppError } from '@floe/errors'

const hourMs = 3_600_000

export interface ExpirationRule {
  now: Date
  rules: Pick<SharingRules, 'maxExpiration' | 'allowNeverExpires'>
  /** The input field that an error names. */
  field?: string
}

/**
 * When a share ends, `null` for never. `text` is relative (`7-days`, `never`) or an ISO date.
 * Fails with validation_failed, share_expiration_too_long, share_needs_end.
 */
export function resolveExpiration(
  text: string,
  { now, rules, field = 'expiration' }: ExpirationRule,
): Date | null {
  const expiresAt = readExpiration(text, now)
  if (expiresAt !== null) {
    // Also refuses an invalid date, which compares false with everything.
    if (!(expiresAt > now)) refuse(field, 'must be in the future')
    if (expiresAt.getTime() >= END_OF_TIME_MS) refuse(field, 'must be before the year 10000')
  }
  const { maxExpiration, allowNeverExpires } = rules
  if (maxExpiration > 0 && (expiresAt === null || +expiresAt > +now + maxExpiration * hourMs)) {
    throw new AppError('share_expiration_too_long')
  }
  if (expiresAt === null && !allowNeverExpires) throw new AppError('share_needs_end')
  return expiresAt
}

function readExpiration(text: string, now: Date): Date | null {
  if (!expirationSchema.safeParse(text).success) return new Date(text)
  const duration = parseExpiration(text)
  return duration === null ? null : addDuration(now, duration)
}

function refuse(field: string, problem: string): never {
  throw new AppError('validation_failed', { issues: [`${field}: ${problem}`] })
}
