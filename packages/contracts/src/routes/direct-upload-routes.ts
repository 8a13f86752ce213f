import { DIRECT_UPLOAD_PATH, directUploadParamsSchema } from '../direct-uploads.ts'
import { defineRoute } from './route.ts'

const errors = [
  'validation_failed',
  'forbidden',
  'email_not_verified',
  'share_expiration_too_long',
  'share_id_taken',
  'smtp_disabled',
  'too_many_empty_shares',
  'unsupported_media_type',
  'file_name_too_long',
  'share_too_large',
  'quota_exceeded',
  'instance_quota_exceeded',
  'upload_interrupted',
  'storage_full',
] as const

const common = {
  path: `${DIRECT_UPLOAD_PATH}/:name`,
  tag: 'Uploads',
  access: 'user',
  scope: 'shares:write',
  params: directUploadParamsSchema,
  raw: true,
  status: 201,
  response: 'text',
  errors,
} as const

/** For one line of curl. */
export const directUploadRoutes = {
  putFile: defineRoute({
    ...common,
    method: 'put',
    summary:
      'Share one file in one request: the body is the file, the response its link, or JSON where `Accept` asks for it. X-Expires, X-Password, X-Max-Views, X-Name, X-Description, X-Share-Id and X-Recipients say how',
  }),
  postFile: defineRoute({
    ...common,
    method: 'post',
    summary: 'As `putFile`, for clients that only send POST',
  }),
}
