import { z } from 'zod'
import { blankAsAbsent } from './blank-as-absent.ts'
import { expirationSchema } from './duration.ts'
import { emailSchema, fileNameSchema, sha256Schema, shareIdSchema } from './names.ts'
import {
  createShareSchema,
  maxViewsSchema,
  shareDescriptionSchema,
  shareNameSchema,
  sharePasswordSchema,
} from './shares.ts'

/** Where one request makes a share of one file. */
export const DIRECT_UPLOAD_PATH = '/up'

/** Where an upload goes on that asked to be resumable. */
export const RESUMABLE_UPLOADS_PATH = `${DIRECT_UPLOAD_PATH}/uploads`

/** The version of draft-ietf-httpbis-resumable-upload in which 104 tells where an upload goes on. */
export const RESUMABLE_INTEROP_VERSION = '8'

/** Where the types of problem details that the draft registers are listed. */
export const RESUMABLE_PROBLEM_TYPES = 'https://iana.org/assignments/http-problem-types#'

/** When a share ends, relative or as a date: `7-days`, `never`, `2026-12-24`. */
const endSchema = z.union([expirationSchema, z.iso.date(), z.iso.datetime({ offset: true })])

const listSchema = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(emailSchema).max(100))

/**
 * What the headers of a direct upload say of its share, by their names in lower case. Headers,
 * because addresses are written to logs.
 */
export const directUploadHeadersSchema = z.object({
  'x-expires': blankAsAbsent(endSchema),
  'x-password': blankAsAbsent(sharePasswordSchema),
  'x-max-views': blankAsAbsent(z.coerce.number().pipe(maxViewsSchema)),
  'x-name': blankAsAbsent(shareNameSchema),
  'x-description': blankAsAbsent(shareDescriptionSchema),
  'x-share-id': blankAsAbsent(shareIdSchema),
  'x-recipients': blankAsAbsent(listSchema),
})

/** The terms of a share that one request makes; what is absent is as the page proposes it. */
export const directShareSchema = createShareSchema
  .pick({ name: true, description: true, recipients: true, security: true })
  .extend({ id: shareIdSchema.optional(), expiration: endSchema.optional() })
export type DirectShareTerms = z.output<typeof directShareSchema>

/**
 * Which share an address deletes, and the secret that it ends with. What cannot be one is no other
 * refusal than a wrong one.
 */
export const deleteLinkParamsSchema = z.object({ id: z.string(), secret: z.string() })

export const directUploadParamsSchema = z.object({ name: fileNameSchema })

/** What JSON tells of it; the link alone is the response otherwise. */
export const directUploadSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** A page that deletes the share, for anybody who has this address. DELETE does so at once. */
  deleteUrl: z.string(),
  files: z.array(
    z.object({
      id: z.guid(),
      name: z.string(),
      size: z.number(),
      /** `null` until it is computed, for a file that did not come in one go. */
      sha256: sha256Schema.nullable(),
    }),
  ),
  /** `1970-01-01T00:00:00.000Z` is never. */
  expiration: z.string(),
})
