import { z } from 'zod'
import { fileScanSchema } from './antivirus.ts'
import { blankAsAbsent, nullAsAbsent } from './blank-as-absent.ts'
import { expirationSchema } from './duration.ts'
import {
  emailSchema,
  fileNameSchema,
  lineSchema,
  sha256Schema,
  shareIdSchema,
  textSchema,
} from './names.ts'
import { pagePath } from './pages.ts'
import { sealedKeySchema } from './receivers.ts'

/** Cookie that proves a granted visit to one share. */
export function shareTokenCookie(shareId: string): string {
  return `share_${shareId}_token`
}

/** Cookie that proves this browser made an anonymous share. */
export function ownerTokenCookie(shareId: string): string {
  return `share_${shareId}_owner_token`
}

/** Why a form did not open a share, where the page of the share could not tell by itself. */
export const formRefusals = [
  'wrong_password',
  'share_password_required',
  'invalid_share_code',
  'too_many_requests',
] as const
export type FormRefusal = (typeof formRefusals)[number]
/** Where that is told, in the page's address. */
export const FORM_REFUSAL_PARAMETER = 'refused'

/** There once a code was asked for by a form. */
export const CODE_REQUESTED_PARAMETER = 'codeRequested'

/** The address of a share's page, to which a form leads back. */
export function sharePagePath(shareId: string, refusal: string | null = null): string {
  const told = formRefusals.find((code) => code === refusal)
  const query = told === undefined ? '' : `?${FORM_REFUSAL_PARAMETER}=${told}`
  return `${pagePath('share', { id: shareId })}${query}`
}

export const shareNameSchema = lineSchema(3, 30)
export const shareDescriptionSchema = textSchema(512)
export const sharePasswordSchema = z.string().min(3).max(30)
export const maxViewsSchema = z.int().min(0).max(1_000_000_000)
export const senderNameSchema = lineSchema(1, 50)
/** Whether the link opens for recipients alone: signed in, or by a code sent to their address. */
const restrictToRecipientsSchema = z.boolean()
const recipientsSchema = z.array(emailSchema).max(100)

/**
 * How many shares a user may have that hold no file and are not completed. Each costs a row and an
 * id until it is removed as abandoned, and nothing else would limit their number.
 */
export const MOST_EMPTY_SHARES = 500

export const createShareSchema = z.object({
  id: shareIdSchema,
  name: blankAsAbsent(shareNameSchema),
  description: blankAsAbsent(shareDescriptionSchema),
  expiration: expirationSchema,
  recipients: recipientsSchema,
  security: z
    .object({
      password: blankAsAbsent(sharePasswordSchema),
      maxViews: blankAsAbsent(maxViewsSchema),
      restrictToRecipients: nullAsAbsent(restrictToRecipientsSchema),
    })
    .nullish(),
  /** Mail the creator, who must be signed in, when somebody downloads. */
  notifyOnDownload: nullAsAbsent(z.boolean()),
  /** Its files are ciphertexts of `packages/encryption`, whose key no server has. */
  encrypted: nullAsAbsent(z.boolean()),
  /** Its key for the receiver, where a reverse share takes encrypted files alone. */
  sealedKey: nullAsAbsent(sealedKeySchema),
  /** Who sends, where a reverse share asks for it: to be given here or when it is completed. */
  senderName: blankAsAbsent(senderNameSchema),
  /**
   * The token of the reverse share this is sent through: it fails where that one is gone. `null`
   * is none, even if the cookie names one; absent leaves it to the cookie.
   */
  reverseShare: shareIdSchema.nullable().optional(),
})
export type CreateShareInput = z.infer<typeof createShareSchema>

/**
 * What completing a share for the first time may still decide. What is absent stays as it was
 * created; an expiration counts from the completion.
 */
export const completeShareSchema = createShareSchema
  .omit({ reverseShare: true, encrypted: true, sealedKey: true })
  .partial()
export type CompleteShareInput = z.infer<typeof completeShareSchema>

/** Names of files that are still to come; of more only the number is told. */
export const MOST_ANNOUNCED_FILES = 1000

/** What a column for it takes. */
const MOST_FILES = 2_147_483_647

/** All that a share is to hold, arrived or not; `files` are the next that will arrive. */
const announcementSchema = z.object({
  fileCount: z.int().min(0).max(MOST_FILES),
  size: z.int().min(0),
  files: z
    .array(z.object({ name: fileNameSchema, size: z.int().min(0) }))
    .max(MOST_ANNOUNCED_FILES),
})
export type Announcement = z.infer<typeof announcementSchema>

/**
 * What completing takes, for a share that opens while its files are uploaded. On one that is open
 * already only `announced` may be sent, which replaces what was announced.
 */
export const openEarlySchema = completeShareSchema
  .omit({ senderName: true })
  .extend({ announced: announcementSchema.optional() })
export type OpenEarlyInput = z.infer<typeof openEarlySchema>

/**
 * `null` clears a field; an absent field stays. `expiration` is relative or an ISO date.
 * `recipients` replaces the list: new recipients are told when the share is published.
 */
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
      restrictToRecipients: restrictToRecipientsSchema.optional(),
    })
    .optional(),
  recipients: recipientsSchema.optional(),
  notifyOnDownload: z.boolean().optional(),
})
export type UpdateShareInput = z.infer<typeof updateShareSchema>

export const shareTokenInputSchema = z.object({
  password: nullAsAbsent(z.string().max(1024)),
  /** Of a recipient, with the code that was sent there, where a share opens for them alone. */
  email: blankAsAbsent(emailSchema),
  code: blankAsAbsent(z.string().trim().max(32)),
})

export const shareCodeRequestSchema = z.object({ email: emailSchema })

/** There where the files of a share are encrypted from end to end, with a key that its link carries. */
export const encryptedSchema = z.literal(true).optional()

/** What create, complete and reopen respond with: exactly these four members. */
export const shareReceiptSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    expiration: z.string(),
    description: z.string().nullable(),
  })
  .meta({ id: 'ShareReceipt' })
export type ShareReceipt = z.infer<typeof shareReceiptSchema>

/** There while visitors do not see what was completed, because a virus scanner has yet to see it. */
export const waitsForScanSchema = z.literal(true).optional()

/** What completing responds with. */
export const completedShareSchema = shareReceiptSchema
  .extend({
    /** The owner of the reverse share is being told by e-mail; absent for other shares. */
    notifyReverseShareCreator: z.boolean().optional(),
    waitsForScan: waitsForScanSchema,
  })
  .meta({ id: 'CompletedShare' })
export type CompletedShareView = z.infer<typeof completedShareSchema>

/** Pixels. */
export const thumbnailSizeSchema = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
})
export type ThumbnailSize = z.infer<typeof thumbnailSizeSchema>

/** `size` is a decimal string of bytes; `sha256` and `thumbnail` are absent while there is none. */
export const sharedFileSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    size: z.string(),
    sha256: sha256Schema.optional(),
    thumbnail: thumbnailSizeSchema.optional(),
    /** What a virus scanner said of it; absent where nothing is scanned. */
    scan: fileScanSchema.optional(),
  })
  .meta({ id: 'SharedFile' })
export type SharedFile = z.infer<typeof sharedFileSchema>

/** A file on its way into a share; decimal strings of bytes. */
export const comingFileSchema = z
  .object({ name: z.string(), size: z.string(), received: z.string() })
  .meta({ id: 'ComingFile' })
export type ComingFile = z.infer<typeof comingFileSchema>

/** What has not arrived yet: numbers of all of it, and the files that arrive next. */
export const comingFilesSchema = z
  .object({
    fileCount: z.number(),
    size: z.number(),
    received: z.number(),
    files: z.array(comingFileSchema),
  })
  .meta({ id: 'ComingFiles' })
export type ComingFiles = z.infer<typeof comingFilesSchema>

/** What a visitor with access sees. `size` is a number of bytes. */
export const shareViewSchema = shareReceiptSchema
  .extend({
    files: z.array(sharedFileSchema),
    /** Who made it. Visitors are told where that is set so on the account; never the e-mail address. */
    creator: z.object({ username: z.string() }).optional(),
    /** The caller made it with an account and may edit it. */
    isOwn: z.boolean().optional(),
    hasPassword: z.boolean(),
    encrypted: encryptedSchema,
    size: z.number(),
    /** There while files are still uploaded; none of them can be read before it is complete. */
    coming: comingFilesSchema.optional(),
  })
  .meta({ id: 'Share' })
export type ShareView = z.infer<typeof shareViewSchema>

/**
 * `open` was never completed; `uploading` neither, but visitors see each file as it arrives;
 * `reopened` is being edited, which visitors see nothing of until it is completed.
 */
export const shareStateSchema = z.enum(['open', 'uploading', 'completed', 'reopened'])
export type ShareState = z.infer<typeof shareStateSchema>

/**
 * There once a share has expired whose files are kept: nobody else finds it until then, and a new
 * expiration opens it again.
 */
export const keptUntilSchema = z.string().optional()

/** How many files somebody put into a share; in an encrypted one, one of those stored names the others. */
export function countFiles(storedFiles: number, isEncrypted: boolean): number {
  return isEncrypted ? Math.max(0, storedFiles - 1) : storedFiles
}

/** What an owner sees of an own share; `recipients` is empty for anybody but its creator. */
export const ownShareSchema = shareViewSchema
  .extend({
    views: z.number(),
    createdAt: z.string(),
    recipients: z.array(z.string()),
    security: z.object({
      passwordProtected: z.boolean(),
      maxViews: z.number().nullable(),
      /** Absent for a share that opens for everybody who has the link. */
      restrictToRecipients: z.literal(true).optional(),
    }),
    notifyOnDownload: z.boolean(),
    /** While it is `reopened`, `files` are those of the edit. */
    state: shareStateSchema,
    /** Set for a share sent through a reverse share; without public access only its owner reads. */
    reverseShare: z.object({ id: z.string(), publicAccess: z.boolean() }).optional(),
    /** What a sender without an account gave. */
    senderName: z.string().optional(),
    keptUntil: keptUntilSchema,
    waitsForScan: waitsForScanSchema,
  })
  .meta({ id: 'OwnShare' })
export type OwnShare = z.infer<typeof ownShareSchema>

/** A row of the administrators' list of all shares. */
export const adminShareSchema = shareReceiptSchema
  .extend({
    views: z.number(),
    createdAt: z.string(),
    size: z.number(),
    state: shareStateSchema,
    creator: z.object({ username: z.string() }).optional(),
    encrypted: encryptedSchema,
    /** There for a share sent through a reverse share, with which it ends at the latest. */
    viaReverseShare: z.literal(true).optional(),
    keptUntil: keptUntilSchema,
    waitsForScan: waitsForScanSchema,
  })
  .meta({ id: 'AdminShare' })
export type AdminShare = z.infer<typeof adminShareSchema>

/** `progress` from 0 to 1 is there while Download all is being prepared. */
export const shareMetaDataSchema = z
  .object({
    id: z.string(),
    isZipReady: z.boolean(),
    progress: z.number().min(0).max(1).optional(),
  })
  .meta({ id: 'ShareMetaData' })

export const shareTokenResponseSchema = z.object({ token: z.string() }).meta({ id: 'ShareToken' })
export const shareIdAvailabilitySchema = z
  .object({ isAvailable: z.boolean() })
  .meta({ id: 'ShareIdAvailability' })
