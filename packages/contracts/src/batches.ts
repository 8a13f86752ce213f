import { z } from 'zod'
import { fileNameSchema, uuidSchema } from './names.ts'

/**
 * Many small files in one request. The body is the length of a manifest in bytes (32 bits, big
 * endian), the manifest (JSON, UTF-8), then the bytes of its files, one after another in its order.
 */
export const BATCH_TYPE = 'application/vnd.floe.batch'

/** A larger file travels on its own, by tus. */
export const MOST_BATCH_FILE_BYTES = 1024 * 1024
/** Of all files of a batch together. */
export const MOST_BATCH_BYTES = 8 * 1024 * 1024
export const MOST_BATCH_FILES = 1000
export const MOST_MANIFEST_BYTES = 512 * 1024

export const batchFileSchema = z.object({
  /** Chosen by the sender: a file that is sent again is stored once. */
  id: uuidSchema,
  /** Folder and name, as in `photos/2026/a.jpg`. */
  name: fileNameSchema,
  sizeBytes: z.int().min(0).max(MOST_BATCH_FILE_BYTES),
})
export type BatchFile = z.infer<typeof batchFileSchema>

export const batchManifestSchema = z.object({
  files: z
    .array(batchFileSchema)
    .min(1)
    .max(MOST_BATCH_FILES)
    .refine((files) => new Set(files.map(({ id }) => id)).size === files.length, {
      message: 'ids must differ',
    })
    .refine(
      (files) => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) <= MOST_BATCH_BYTES,
      {
        message: `must have at most ${MOST_BATCH_BYTES} bytes together`,
      },
    ),
})

/** Every file of the batch that is not named was stored. */
export const batchResponseSchema = z
  .object({
    refused: z.array(z.object({ id: z.string(), name: z.string(), error: z.string() })),
  })
  .meta({ id: 'BatchResponse' })
export type BatchResponse = z.infer<typeof batchResponseSchema>

/** What comes before the bytes of the files. */
export function encodeManifest(files: readonly BatchFile[]): Uint8Array<ArrayBuffer> {
  const named = files.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes }))
  const manifest = new TextEncoder().encode(JSON.stringify({ files: named }))
  const head = new Uint8Array(4 + manifest.length)
  new DataView(head.buffer).setUint32(0, manifest.length)
  head.set(manifest, 4)
  return head
}
