import { z } from 'zod'
import { blankAsAbsent } from './blank-as-absent.ts'
import { fileNameSchema, shareIdSchema } from './names.ts'

export const UPLOADS_PATH = '/api/uploads'
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'expiration',
  'termination',
  'checksum',
  'concatenation',
] as const
export const TUS_CHECKSUM_ALGORITHMS = ['crc32', 'sha1', 'sha256', 'md5'] as const

/** `share.chunkSize` unless an administrator sets it. */
export const DEFAULT_CHUNK_BYTES = 10_000_000

/** A file is never larger, even if the settings allow it: an object of S3 holds no more. */
export const MOST_FILE_BYTES = 5 * 2 ** 40

/** `Upload-Metadata` of a file upload, decoded. Unknown keys are kept out. */
export const uploadMetadataSchema = z.object({
  shareId: shareIdSchema,
  filename: fileNameSchema,
  filetype: z.string().max(255).optional(),
  relativePath: fileNameSchema.optional(),
})
export type UploadMetadata = z.infer<typeof uploadMetadataSchema>

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

/** Query of the chunk protocol. */
export const chunkQuerySchema = z
  .object({
    // Checked by its reader: a malformed one has an error of its own, `invalid_file_id`.
    id: blankAsAbsent(z.string().max(100)),
    name: fileNameSchema,
    chunkIndex: wholeNumber,
    totalChunks: wholeNumber.refine((total) => total >= 1, 'must be at least 1'),
  })
  .refine(({ chunkIndex, totalChunks }) => chunkIndex < totalChunks, {
    message: 'must be less than totalChunks',
    path: ['chunkIndex'],
  })
export type ChunkQuery = z.infer<typeof chunkQuerySchema>

export const chunkResponseSchema = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'ChunkResponse' })

/** One of the unfinished uploads of the signed-in user, for `GET /api/uploads`. */
export const unfinishedUploadSchema = z
  .object({
    url: z.string(),
    shareId: z.string(),
    name: z.string(),
    relativePath: z.string().nullable(),
    sizeBytes: z.number().nullable(),
    offsetBytes: z.number(),
    createdAt: z.string(),
    expiresAt: z.string(),
  })
  .meta({ id: 'UnfinishedUpload' })
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>

/** For `GET /api/users/me/storage`. */
export const storageStatusSchema = z
  .object({
    usedBytes: z.number(),
    /** Null without a limit of the account's own. */
    limitBytes: z.number().nullable(),
    /** What may still be sent: the smaller of what account and instance have left; null is no limit. */
    leftBytes: z.number().nullable(),
  })
  .meta({ id: 'StorageStatus' })
export type StorageStatus = z.infer<typeof storageStatusSchema>

/** What the users of a page of the list store, for `GET /api/users/storage`. */
export const storageUseSchema = z
  .object({ userId: z.guid(), usedBytes: z.number() })
  .meta({ id: 'StorageUse' })
export type StorageUse = z.infer<typeof storageUseSchema>
