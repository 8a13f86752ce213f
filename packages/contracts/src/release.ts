import { z } from 'zod'

/** The latest release of the product, as its repository tells. */
export const releaseSchema = z
  .object({
    /** Without a leading `v`. */
    version: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Release' })

export type Release = z.infer<typeof releaseSchema>
