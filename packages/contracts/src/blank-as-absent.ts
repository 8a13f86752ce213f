import { z } from 'zod'

/** Forms send "" for a field left blank; it means absent. */
export function blankAsAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    schema.optional(),
  )
}

/** Existing clients send `null` for a member they have no value for, where that can mean nothing else. */
export function nullAsAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}
