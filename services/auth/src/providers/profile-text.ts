import { emailSchema } from '@floe/contracts'

const USERNAME_MAX_LENGTH = 200

/** A line that can be kept and shown, or `null`. */
export function readLine(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const line = value.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return line === '' ? null : line.slice(0, USERNAME_MAX_LENGTH)
}

/** An address that an account can have, or `null`. */
export function readEmail(value: unknown): string | null {
  const parsed = emailSchema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** Some providers spell their booleans out as text. */
export function readFlag(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
