import { z } from 'zod'

/** Forms send "" for a field left blank; it means absent. */
export function blankAsAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    schema.optional(),
  )
}
