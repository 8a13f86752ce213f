import { z } from 'zod'
import { expirationSchema } from './duration.ts'
import { emailSchema, lineSchema, shareIdSchema, textSchema } from './names.ts'

/** Cookie that proves a granted visit to one share. */
export function shareTokenCookie(shareId: string): string {
  return `share_${shareId}_token`
}

/** Cookie that proves this browser made an anonymous share. */
export function ownerTokenCookie(shareId: string): string {
  return `share_${shareId}_owner_token`
}

export const REVERSE_SHARE_COOKIE = 'reverse_share_token'

export const shareNameSchema = lineSchema(3, 30)
export const shareDescriptionSchema = textSchema(512)
export const sharePasswordSchema = z.string().min(3).max(30)
export const maxViewsSchema = z.int().min(0).max(1_000_000_000)

// Forms send "" for a field left blank; it means absent.
function blankAsAbsent<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    schema.optional(),
  )
}

export const createShareSchema = z.object({
  id: shareIdSchema,
  name: blankAsAbsent(shareNameSchema),
  description: blankAsAbsent(shareDescriptionSchema),
  expiration: expirationSchema,
  recipients: z.array(emailSchema).max(100),
  security: z
    .object({
      password: blankAsAbsent(sharePasswordSchema),
      maxViews: blankAsAbsent(maxViewsSchema),
    })
    .nullish(),
})
export type CreateShareInput = z.infer<typeof createShareSchema>

/** `null` clears a field; an absent field stays. `expiration` is relative or an ISO date. */
export const updateShareSchema = z.object({
  name: z
    .union([z.literal(''), shareNameSchema])
    .nullable()
    .optional(),
  description: shareDescriptionSchema.nullable().optional(),
  expiration: z.union([expirationSchema, z.iso.datetime({ offset: true })]).optional(),
  security: z
    .object({
      password: sharePasswordSchema.optional(),
      removePassword: z.boolean().optional(),
      maxViews: maxViewsSchema.nullable().optional(),
    })
    .optional(),
})
export type UpdateShareInput = z.infer<typeof updateShareSchema>

export const shareTokenInputSchema = z.object({ password: z.string().max(1024).optional() })

/** What create, complete and reopen answer: exactly these four members. */
export const shareReceiptSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    expiration: z.string(),
    description: z.string().nullable(),
  })
  .meta({ id: 'ShareReceipt' })
export type ShareReceipt = z.infer<typeof shareReceiptSchema>

/** `size` is a decimal string of bytes. */
export const sharedFileSchema = z
  .object({ id: z.string(), name: z.string(), size: z.string() })
  .meta({ id: 'SharedFile' })
export type SharedFile = z.infer<typeof sharedFileSchema>

/** What a visitor with access sees. `size` is a number of bytes. */
export const shareViewSchema = shareReceiptSchema
  .extend({
    files: z.array(sharedFileSchema),
    creator: z.object({ username: z.string() }).optional(),
    hasPassword: z.boolean(),
    size: z.number(),
  })
  .meta({ id: 'Share' })
export type ShareView = z.infer<typeof shareViewSchema>

/** What an owner sees of an own share. */
export const ownShareSchema = shareViewSchema
  .extend({
    views: z.number(),
    createdAt: z.string(),
    recipients: z.array(z.string()),
    security: z.object({ passwordProtected: z.boolean(), maxViews: z.number().nullable() }),
  })
  .meta({ id: 'OwnShare' })
export type OwnShare = z.infer<typeof ownShareSchema>

/** A row of the administrators' list of all shares. */
export const adminShareSchema = shareReceiptSchema
  .extend({
    views: z.number(),
    createdAt: z.string(),
    size: z.number(),
    creator: z.object({ username: z.string() }).optional(),
  })
  .meta({ id: 'AdminShare' })
export type AdminShare = z.infer<typeof adminShareSchema>

export const shareMetaDataSchema = z
  .object({ id: z.string(), isZipReady: z.boolean() })
  .meta({ id: 'ShareMetaData' })

export const shareTokenAnswerSchema = z.object({ token: z.string() }).meta({ id: 'ShareToken' })
export const shareIdAvailabilitySchema = z
  .object({ isAvailable: z.boolean() })
  .meta({ id: 'ShareIdAvailability' })
