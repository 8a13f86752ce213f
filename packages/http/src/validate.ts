import { AppError } from '@floe/errors'
import type { z } from 'zod'

/** The parsed value, or `validation_failed` with one sentence a problem. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('validation_failed', {
    issues: result.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    ),
  })
}
