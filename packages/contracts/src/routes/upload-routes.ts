import { z } from 'zod'
import { uuidSchema } from '../names.ts'
import {
  storageStatusSchema,
  storageUseSchema,
  UPLOADS_PATH,
  unfinishedUploadSchema,
} from '../uploads.ts'
import { defineRoute } from './route.ts'

export const uploadIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/)
const uploadParams = z.object({ uploadId: uploadIdSchema })
const storageUseQuerySchema = z.object({
  ids: z
    .string()
    .max(100 * 37)
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(uuidSchema).max(100)),
})
const uploadPath = `${UPLOADS_PATH}/:uploadId` as const

const appendErrors = [
  'validation_failed',
  'tus_version_unsupported',
  'upload_not_found',
  'upload_gone',
  'upload_offset_conflict',
  'upload_length_conflict',
  'upload_length_exceeded',
  'upload_checksum_mismatch',
  'upload_checksum_unsupported',
  'upload_interrupted',
  'upload_is_final',
  'unsupported_media_type',
  'share_too_large',
  'quota_exceeded',
  'instance_quota_exceeded',
  'share_locked',
  'storage_full',
] as const

/** tus 1.0 (tus.io/protocols/resumable-upload) and the list of what is unfinished. */
export const uploadRoutes = {
  describeUploads: defineRoute({
    method: 'options',
    path: UPLOADS_PATH,
    tag: 'Uploads',
    summary: 'tus: get versions, extensions and limits',
    access: 'anyone',
    scope: 'visitor',
    raw: true,
    status: 204,
    response: null,
  }),
  listUnfinishedUploads: defineRoute({
    method: 'get',
    path: UPLOADS_PATH,
    tag: 'Uploads',
    summary: 'List the unfinished uploads of the signed-in user, to resume them in any browser',
    access: 'user',
    scope: 'shares:write',
    status: 200,
    response: z.array(unfinishedUploadSchema),
    errors: ['forbidden'],
  }),
  createUpload: defineRoute({
    method: 'post',
    path: UPLOADS_PATH,
    tag: 'Uploads',
    summary: 'tus: create an upload (metadata shareId, filename, filetype, relativePath)',
    access: 'share owner',
    scope: 'shares:write',
    raw: true,
    status: 201,
    response: null,
    errors: [
      'tus_version_unsupported',
      'validation_failed',
      'share_not_found',
      'forbidden',
      'share_locked',
      'share_too_large',
      'quota_exceeded',
      'instance_quota_exceeded',
      'file_name_too_long',
      'unsupported_media_type',
      'upload_checksum_mismatch',
      'upload_checksum_unsupported',
      'upload_length_exceeded',
      'upload_interrupted',
      'upload_not_found',
      'upload_parts_unfinished',
      'storage_full',
    ],
  }),
  inspectUpload: defineRoute({
    method: 'head',
    path: uploadPath,
    tag: 'Uploads',
    summary:
      'tus: get the offset of an upload, and in Upload-Checksum the CRC-32 of the bytes before',
    access: 'upload url',
    scope: 'visitor',
    params: uploadParams,
    raw: true,
    status: 200,
    response: null,
    errors: [
      'tus_version_unsupported',
      'upload_not_found',
      'upload_gone',
      'upload_interrupted',
      'share_locked',
    ],
  }),
  appendToUpload: defineRoute({
    method: 'patch',
    path: uploadPath,
    tag: 'Uploads',
    summary: 'tus: append bytes at the offset (application/offset+octet-stream)',
    access: 'upload url',
    scope: 'visitor',
    params: uploadParams,
    raw: true,
    status: 204,
    response: null,
    errors: appendErrors,
  }),
  overrideUploadMethod: defineRoute({
    method: 'post',
    path: uploadPath,
    tag: 'Uploads',
    summary: 'tus: send PATCH, DELETE or HEAD with X-HTTP-Method-Override',
    access: 'upload url',
    scope: 'visitor',
    params: uploadParams,
    raw: true,
    status: 204,
    response: null,
    errors: ['method_not_allowed', ...appendErrors],
  }),
  terminateUpload: defineRoute({
    method: 'delete',
    path: uploadPath,
    tag: 'Uploads',
    summary: 'tus: terminate an upload',
    access: 'upload url',
    scope: 'visitor',
    params: uploadParams,
    raw: true,
    status: 204,
    response: null,
    errors: ['tus_version_unsupported', 'upload_not_found', 'upload_gone'],
  }),
  getOwnStorage: defineRoute({
    method: 'get',
    path: '/api/users/me/storage',
    tag: 'Users',
    summary: 'Get the storage use and the remaining storage of the signed-in user',
    access: 'user',
    scope: 'account:read',
    status: 200,
    response: storageStatusSchema,
    errors: ['forbidden'],
  }),
  listStorageUse: defineRoute({
    method: 'get',
    path: '/api/users/storage',
    tag: 'Users',
    summary: 'Get the storage use of these users (at most 100, separated by commas)',
    access: 'admin',
    scope: 'admin:read',
    query: storageUseQuerySchema,
    status: 200,
    response: z.array(storageUseSchema),
    errors: ['validation_failed', 'forbidden'],
  }),
}
