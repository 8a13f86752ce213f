import { z } from 'zod'
import {
  DIRECT_UPLOAD_PATH,
  deleteLinkParamsSchema,
  directUploadParamsSchema,
  directUploadSchema,
  RESUMABLE_UPLOADS_PATH,
} from '../direct-uploads.ts'
import { pages } from '../pages.ts'
import { defineRoute } from './route.ts'
import { sharingRuleErrors } from './share-routes.ts'
import { uploadIdSchema } from './upload-routes.ts'

const errors = [
  'validation_failed',
  'forbidden',
  'email_not_verified',
  'share_expiration_too_long',
  'share_id_taken',
  'smtp_disabled',
  ...sharingRuleErrors,
  'too_many_empty_shares',
  'unsupported_media_type',
  'file_name_too_long',
  'share_too_large',
  'quota_exceeded',
  'instance_quota_exceeded',
  'upload_interrupted',
  'storage_full',
] as const

const direct = {
  tag: 'Uploads',
  access: 'user',
  scope: 'shares:write',
  refusesOtherBearers: true,
  raw: true,
  status: 201,
  response: 'text',
  asJson: directUploadSchema,
  errors,
} as const

const named = {
  ...direct,
  path: `${DIRECT_UPLOAD_PATH}/:name`,
  params: directUploadParamsSchema,
} as const

const resumable = {
  path: `${RESUMABLE_UPLOADS_PATH}/:uploadId`,
  tag: 'Uploads',
  access: 'upload url',
  scope: 'shares:write',
  refusesOtherBearers: true,
  params: z.object({ uploadId: uploadIdSchema }),
  raw: true,
} as const

const deletion = {
  path: pages.deleteShare.path,
  tag: 'Shares',
  access: 'delete link',
  scope: 'visitor',
  params: deleteLinkParamsSchema,
  // Whatever body comes along, the address says all.
  raw: true,
  status: 204,
  response: null,
  errors: ['share_not_found'],
} as const

/** For one line of curl. */
export const directUploadRoutes = {
  putFile: defineRoute({
    ...named,
    method: 'put',
    summary:
      'Share one file in one request: the body is the file, the response its link, or JSON where `Accept` asks for it. X-Expires, X-Password, X-Max-Views, X-Name, X-Description, X-Share-Id and X-Recipients say how',
  }),
  postFile: defineRoute({
    ...named,
    method: 'post',
    summary: 'As `putFile`, for clients that only send POST',
  }),
  postForm: defineRoute({
    ...direct,
    method: 'post',
    path: DIRECT_UPLOAD_PATH,
    summary:
      'Share the files of a form (`multipart/form-data`, fields `file`), for ShareX and HTML forms. Fields ahead of them say how, named like the headers of `putFile` without `X-`',
  }),
  describeResumable: defineRoute({
    method: 'options',
    path: named.path,
    tag: 'Uploads',
    params: named.params,
    summary:
      'What a resumable upload may be (draft-ietf-httpbis-resumable-upload): send `Upload-Complete` with `putFile` to make one, whose address comes with 104 and 201',
    access: 'anyone',
    scope: 'visitor',
    raw: true,
    status: 204,
    response: null,
  }),
  inspectResumable: defineRoute({
    ...resumable,
    method: 'head',
    summary: 'Tell how far a resumable upload is, and its link once it is shared',
    status: 204,
    response: null,
    errors: ['upload_not_found', 'upload_gone', 'share_locked', 'encryption_required'],
  }),
  appendResumable: defineRoute({
    ...resumable,
    method: 'patch',
    summary:
      'Append bytes at `Upload-Offset` (`application/partial-upload`); with `Upload-Complete: ?1` the share is made and the response is that of `putFile`',
    status: 201,
    response: 'text',
    asJson: directUploadSchema,
    emptyStatus: 204,
    errors: [
      ...errors,
      'share_not_found',
      'share_locked',
      'encryption_required',
      'upload_not_found',
      'upload_gone',
      'upload_offset_conflict',
      'upload_length_exceeded',
      'upload_length_conflict',
    ],
  }),
  terminateResumable: defineRoute({
    ...resumable,
    method: 'delete',
    summary: 'Give up a resumable upload, and its share',
    status: 204,
    response: null,
    errors: ['forbidden', 'share_not_found', 'upload_not_found'],
  }),
  deleteByLink: defineRoute({
    ...deletion,
    method: 'delete',
    summary: 'Delete the share whose `deleteUrl` this is',
  }),
  confirmDeleteByLink: defineRoute({
    ...deletion,
    method: 'post',
    summary: 'As `deleteByLink`, for clients that only send POST',
  }),
}
