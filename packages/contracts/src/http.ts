import { z } from 'zod'

/** What every JSON error response looks like; `code` is stable, `message` is for people. */
export const errorResponseSchema = z
  .object({
    statusCode: z.number(),
    message: z.union([z.string(), z.array(z.string())]),
    error: z.string().optional(),
    code: z.string(),
    /** Of what asks for a password or a code: it is of no use without the key of the link. */
    encrypted: z.literal(true).optional(),
  })
  .meta({ id: 'Error' })
export type ErrorResponse = z.infer<typeof errorResponseSchema>

/** Carries the code where the wire fixes the body's members. */
export const ERROR_CODE_HEADER = 'X-Error-Code'
export const REQUEST_ID_HEADER = 'X-Request-Id'
export const INTERNAL_SECRET_HEADER = 'X-Internal-Secret'

/** Limit of a JSON body. */
export const JSON_BODY_LIMIT_BYTES = 100_000
