import { z } from 'zod'

// C0, DEL and C1 controls break logs, headers and terminals; bidi overrides disguise extensions.
const unsafeInText =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
const unsafeInLine = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

export const SHARE_ID_PATTERN = /^[A-Za-z0-9_-]+$/
export const SHARE_ID_MESSAGE = 'Can only contain letters, numbers, underscores, and hyphens'

export const shareIdSchema = z.string().min(3).max(50).regex(SHARE_ID_PATTERN, SHARE_ID_MESSAGE)

/** The digest of a whole file, as `sha256sum` prints it. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/)

export const uuidSchema = z.guid()

/** One line that people read: a share's name. */
export function lineSchema(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !unsafeInLine.test(text), 'must not contain control characters')
}

/** Several lines that people read: a note. */
export function textSchema(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => !unsafeInText.test(text), 'must not contain control characters')
}

/** With its folders: what macOS opens at most, in UTF-16 code units here. */
const LONGEST_PATH = 1024

/**
 * A file's name as its sender calls it: a label, never a path on the server. Real files have line
 * breaks and bidi controls in their names, so all but NUL is kept, which PostgreSQL cannot store;
 * wherever a name leaves it is escaped for its reader.
 */
export const fileNameSchema = z
  .string()
  .min(1)
  .max(LONGEST_PATH)
  .refine((text) => !text.includes('\u0000'), 'must not contain NUL')

/** What file systems keep of one name, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 255

/** A file of this name, or a folder on its path, could be saved on no common system. */
export function isNameTooLong(path: string): boolean {
  if (path.length > LONGEST_PATH) return true
  const encoder = new TextEncoder()
  return path.split('/').some((name) => encoder.encode(name).length > LONGEST_NAME_BYTES)
}

export const emailSchema = z.email('Invalid email address').max(254)

/** A decimal count of bytes, up to what a JavaScript number holds exactly. */
export const byteCountSchema = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .refine((bytes) => Number.isSafeInteger(bytes))
