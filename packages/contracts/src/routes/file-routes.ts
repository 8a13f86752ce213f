import { z } from 'zod'
import { archivePartSchema, archiveSelectionSchema, chosenFilesSchema } from '../archive-parts.ts'
import { batchResponseSchema } from '../batches.ts'
import { chunkResponseSchema, chunkQuerySchema } from '../uploads.ts'
import { defineRoute } from './route.ts'

const shareParam = z.object({ shareId: z.string().min(1).max(100) })
const fileParams = shareParam.extend({ fileId: z.string() })

/**
 * `download=false` asks for an inline response, which only safe preview types get. Anything else is
 * a download: reading may have counted as a view by then, and nothing is refused that has counted.
 */
export const downloadQuerySchema = z.object({
  download: z.enum(['true', 'false']).optional().catch(undefined),
})

const readErrors = [
  'share_not_found',
  'share_removed',
  'share_being_scanned',
  'share_recipient_required',
  'share_password_required',
  'share_token_required',
  'share_max_views_exceeded',
  'private_share',
] as const

/** Of bytes, where a virus scanner sees them first. */
const scanErrors = ['file_infected', 'file_not_scanned', 'file_too_big_to_scan'] as const

export const fileRoutes = {
  uploadChunk: defineRoute({
    method: 'post',
    path: '/api/shares/:shareId/files',
    tag: 'Files',
    summary: 'Upload one chunk of a file (application/octet-stream)',
    access: 'share owner',
    scope: 'shares:write',
    params: shareParam,
    query: chunkQuerySchema,
    raw: true,
    status: 201,
    response: chunkResponseSchema,
    errors: [
      'validation_failed',
      'share_not_found',
      'forbidden',
      'share_locked',
      'encryption_required',
      'unsupported_media_type',
      'unexpected_chunk_index',
      'share_too_large',
      'quota_exceeded',
      'instance_quota_exceeded',
      'chunk_too_large',
      'invalid_file_id',
      'file_id_taken',
      'file_name_too_long',
    ],
  }),
  uploadBatch: defineRoute({
    method: 'post',
    path: '/api/shares/:shareId/files/batch',
    tag: 'Files',
    summary: 'Upload many small files at once (application/vnd.floe.batch)',
    access: 'share owner',
    scope: 'shares:write',
    params: shareParam,
    raw: true,
    status: 200,
    response: batchResponseSchema,
    errors: [
      'validation_failed',
      'share_not_found',
      'forbidden',
      'share_locked',
      'encryption_required',
      'unsupported_media_type',
      'payload_too_large',
      'upload_interrupted',
      'storage_full',
    ],
  }),
  downloadArchive: defineRoute({
    method: 'get',
    path: '/api/shares/:shareId/files/zip',
    tag: 'Files',
    summary:
      'Download all files, one `folder` or a `selection` as one ZIP of known length; supports Range and If-Range',
    access: 'share visitor',
    scope: 'files:read',
    params: shareParam,
    query: archivePartSchema,
    raw: true,
    status: 200,
    response: 'bytes',
    mediaType: 'application/zip',
    errors: [
      ...readErrors,
      ...scanErrors,
      'validation_failed',
      'file_not_found',
      'archive_not_ready',
      'range_not_satisfiable',
    ],
  }),
  selectFiles: defineRoute({
    method: 'post',
    path: '/api/shares/:shareId/files/selection',
    tag: 'Files',
    summary: 'Choose files for one ZIP; the response is the `selection` to download it by',
    access: 'share visitor',
    scope: 'files:read',
    params: shareParam,
    body: chosenFilesSchema,
    status: 200,
    response: archiveSelectionSchema,
    errors: [...readErrors, 'validation_failed', 'file_not_found'],
  }),
  downloadDigests: defineRoute({
    method: 'get',
    path: '/api/shares/:shareId/files/SHA256SUMS',
    tag: 'Files',
    summary: 'Get the SHA-256 of all files by their paths in the ZIP, for sha256sum -c',
    access: 'share visitor',
    scope: 'files:read',
    params: shareParam,
    raw: true,
    status: 200,
    response: 'bytes',
    mediaType: 'text/plain',
    errors: [
      ...readErrors,
      ...scanErrors,
      'file_not_found',
      'digests_not_ready',
      'range_not_satisfiable',
    ],
  }),
  downloadFile: defineRoute({
    method: 'get',
    path: '/api/shares/:shareId/files/:fileId',
    tag: 'Files',
    summary:
      'Download one file; supports Range and If-Range, may redirect (302) to the object store',
    access: 'share visitor',
    scope: 'files:read',
    params: fileParams,
    query: downloadQuerySchema,
    raw: true,
    status: 200,
    response: 'bytes',
    errors: [...readErrors, ...scanErrors, 'file_not_found', 'range_not_satisfiable'],
  }),
  getThumbnail: defineRoute({
    method: 'get',
    path: '/api/shares/:shareId/files/:fileId/thumbnail',
    tag: 'Files',
    summary: 'Get the WebP thumbnail of an image; files listed with `thumbnail` have one',
    access: 'share visitor',
    scope: 'files:read',
    params: fileParams,
    raw: true,
    status: 200,
    response: 'bytes',
    mediaType: 'image/webp',
    errors: [...readErrors, ...scanErrors, 'thumbnail_not_found', 'range_not_satisfiable'],
  }),
  deleteFile: defineRoute({
    method: 'delete',
    path: '/api/shares/:shareId/files/:fileId',
    tag: 'Files',
    summary: 'Remove a file from an open share',
    access: 'share owner',
    scope: 'shares:write',
    params: fileParams,
    status: 200,
    response: null,
    errors: [
      'share_not_found',
      'file_not_found',
      'forbidden',
      'share_locked',
      'encryption_required',
    ],
  }),
}
