import { z } from 'zod'
import { encryptedSchema, sharedFileSchema } from './shares.ts'

/** How far back the hours of a share's activity reach; its totals count everything. */
export const ACTIVITY_DAYS = 366

/** What was counted in the hour that begins then, in UTC; hours without anything are left out. */
export const hourCountSchema = z
  .object({ hour: z.iso.datetime(), count: z.int().min(1) })
  .meta({ id: 'HourCount' })
export type HourCount = z.infer<typeof hourCountSchema>

/** How often something was downloaded, and when that last began. */
export const downloadCountSchema = z.object({
  total: z.int().min(0),
  lastDownloadedAt: z.iso.datetime().nullable(),
})
export type DownloadCount = z.infer<typeof downloadCountSchema>

/** A file of a share by its id, or its archive as addresses call it. */
export const downloadableSchema = z.union([z.guid(), z.literal('zip')])
export type Downloadable = z.infer<typeof downloadableSchema>

/** `file` narrows the hours of downloads to one file, or to the archive. */
export const shareActivityQuerySchema = z.object({ file: downloadableSchema.optional() })

/**
 * How often a share was opened, and how often each of its files was downloaded. A view is one
 * granted visit. A download is one that began with the first byte, by anybody but the owner;
 * Download all counts for the archive alone. Nothing is told of who it was.
 */
export const shareActivitySchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    /** There the server knows the files by ids alone, and one of them names the others. */
    encrypted: encryptedSchema,
    createdAt: z.iso.datetime(),
    views: z.object({ total: z.int().min(0), hours: z.array(hourCountSchema) }),
    /** Files and archive together; the hours are of one of them where the request says so. */
    downloads: z.object({ total: z.int().min(0), hours: z.array(hourCountSchema) }),
    archive: downloadCountSchema,
    /** Sorted by name. */
    files: z.array(
      sharedFileSchema
        .pick({ id: true, name: true, size: true })
        .extend({ ...downloadCountSchema.shape }),
    ),
  })
  .meta({ id: 'ShareActivity' })
export type ShareActivity = z.infer<typeof shareActivitySchema>
