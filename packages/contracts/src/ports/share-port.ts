import { z } from 'zod'
import { fileScanSchema } from '../antivirus.ts'
import { sha256Schema } from '../names.ts'
import { downloadableSchema } from '../share-activity.ts'
import { directShareSchema } from '../direct-uploads.ts'
import { languageSchema } from '../languages.ts'
import { listOwnDataMethod } from '../stored-data.ts'
import type { Port } from './port.ts'

/** What a request brings that may open a share; taken from its cookies and connection. */
export const requestCredentialsSchema = z.object({
  accessToken: z.string().nullable(),
  /** Cookie `share_<id>_token`. */
  shareToken: z.string().nullable(),
  /** Cookie `share_<id>_owner_token`. */
  ownerToken: z.string().nullable(),
  /** Cookie `reverse_share_token`. */
  reverseShareToken: z.string().nullable(),
  clientAddress: z.string(),
  userAgent: z.string(),
})
export type RequestCredentials = z.infer<typeof requestCredentialsSchema>

/**
 * Which of a share's editions is meant. Each completion publishes the next one, from 1 on; 0 was
 * never published. A file belongs to the editions from its adding up to its removal, so that what
 * visitors see stays as it is while its owner edits.
 */
const editionSchema = z.int().min(0)

/** How hard the archive of an edition is compressed; it never changes, nor does the archive. */
const archiveLevelSchema = z.int().min(0).max(9)

/**
 * Proof that a request may read one share in one edition. Only the share service makes one, and
 * every function that yields bytes, names, digests or sizes to a visitor asks for it, so a
 * forgotten check does not compile.
 */
export const readGrantSchema = z
  .object({
    shareUid: z.guid(),
    shareId: z.string(),
    hasPassword: z.boolean(),
    /** The published one; for the lists of its owner the one being worked on. */
    edition: editionSchema,
    archiveLevel: archiveLevelSchema,
    /** Made the share: what its owner reads is no download that anybody is told of. */
    isOwner: z.boolean(),
    /** Files still arrive: what consists of all of them has to wait. An older process does not say. */
    isUploading: z.boolean().default(false),
  })
  .brand<'ReadGrant'>()
export type ReadGrant = z.infer<typeof readGrantSchema>

/** Proof that a request may add files to one share. `maxSizeBytes` 0 means no limit. */
export const uploadGrantSchema = z
  .object({
    shareUid: z.guid(),
    shareId: z.string(),
    userId: z.guid().nullable(),
    /**
     * Whose storage the files take: that of the one they are sent to through a reverse share, else
     * the maker's; null when only the instance must have space.
     */
    chargedTo: z.guid().nullable(),
    maxSizeBytes: z.number(),
    /** The one being worked on, which the next completion publishes. */
    edition: editionSchema,
    /** Visitors read that one already. An older process does not say. */
    isPublished: z.boolean().default(false),
  })
  .brand<'UploadGrant'>()
export type UploadGrant = z.infer<typeof uploadGrantSchema>

/**
 * What anybody may know of a share that anybody may open; `expiresAt` null means never. `download`
 * is all of it: its only file or the archive, null while that is being prepared.
 */
const sharePreviewSchema = z.object({
  name: z.string().nullable(),
  /** Who made it, if visitors are told. An older process does not say. */
  senderName: z.string().nullable().default(null),
  expiresAt: z.iso.datetime().nullable(),
  fileCount: z.number(),
  sizeBytes: z.number(),
  /** What has not arrived yet, while files are uploaded. An older process does not say. */
  coming: z.object({ fileCount: z.number(), sizeBytes: z.number() }).nullable().default(null),
  download: downloadableSchema.nullable(),
  /** No server opens its files. An older process does not say. */
  isEncrypted: z.boolean().default(false),
})
export type SharePreview = z.infer<typeof sharePreviewSchema>

/** What a visitor reads; `files` are the first ones in the order of their names. */
const shareContentsSchema = sharePreviewSchema.extend({
  description: z.string().nullable(),
  files: z.array(
    z.object({
      id: z.guid(),
      name: z.string(),
      sizeBytes: z.number(),
      scan: fileScanSchema.optional(),
    }),
  ),
})
export type ShareContents = z.infer<typeof shareContentsSchema>

export const sharePort = {
  name: 'share',
  methods: {
    listOwnData: listOwnDataMethod,
    /**
     * May this request read the share?
     * `access: 'visit'` wants the cookie of a granted visit. `access: 'direct'` also lets a request
     * without cookie into an open share and counts one view for it, none when the same visitor
     * comes back within the visit.
     * The owner, and the receiver of what was sent through a reverse share, read without either.
     * Fails with share_not_found, share_removed, share_being_scanned, private_share, share_recipient_required,
     * share_password_required, share_token_required, share_max_views_exceeded.
     */
    authorizeRead: {
      input: z.object({
        shareId: z.string(),
        access: z.enum(['visit', 'direct']),
        credentials: requestCredentialsSchema,
      }),
      output: readGrantSchema,
    },
    /**
     * What a link to the share may tell anyone before it is opened; counts nothing. A share that
     * does not open to everyone fails with the reason.
     * Fails with share_not_found, share_removed, share_being_scanned, private_share, share_recipient_required,
     * share_password_required (with `encrypted`), share_max_views_exceeded.
     */
    previewShare: { input: z.object({ shareId: z.string() }), output: sharePreviewSchema },
    /**
     * The share and at most so many of its files, for the holder of a visit, its owner and its
     * receiver; counts nothing. `mostFiles` null is all of them.
     * Fails with share_not_found, share_removed, share_being_scanned, private_share, share_recipient_required,
     * share_password_required, share_token_required.
     */
    readShare: {
      input: z.object({
        shareId: z.string(),
        credentials: requestCredentialsSchema,
        mostFiles: z.int().min(1).nullable(),
      }),
      output: shareContentsSchema,
    },
    /**
     * May this request add or delete files? Only its maker may: the same account, or the same
     * browser.
     * Fails with share_not_found, forbidden, share_locked (completed, unless reopened),
     * encryption_required.
     */
    authorizeUpload: {
      input: z.object({ shareId: z.string(), credentials: requestCredentialsSchema }),
      output: uploadGrantSchema,
    },
    /**
     * Where an upload that is already under way goes: its URL is its capability. `edition` is the
     * one being worked on; `isPublished` when visitors read it already.
     */
    uploadTarget: {
      input: z.object({ shareUid: z.guid() }),
      output: z.object({
        state: z.enum(['open', 'locked', 'gone']),
        maxSizeBytes: z.number(),
        edition: editionSchema,
        isPublished: z.boolean().default(false),
      }),
    },
    /**
     * The published edition of each of these shares; those that are gone are left out. A level is
     * null until it is settled: nothing was published, or nobody came since before levels were
     * recorded.
     */
    publishedEditions: {
      input: z.object({ shareUids: z.array(z.guid()) }),
      output: z.array(
        z.object({
          shareUid: z.guid(),
          /** Its present link. An older process does not say. */
          shareId: z.string().optional(),
          edition: editionSchema,
          archiveLevel: archiveLevelSchema.nullable(),
        }),
      ),
    },
    /**
     * Every share that was completed, expired ones that are not yet deleted included, in the order
     * of `shareUid`, a page at a time.
     */
    publishedShares: {
      input: z.object({ after: z.guid().nullable(), limit: z.int().min(1).max(1000) }),
      output: z.array(
        z.object({ shareUid: z.guid(), shareId: z.string(), edition: editionSchema }),
      ),
    },
    /** May this request make a share? Fails with forbidden, email_not_verified. */
    authorizeShare: {
      input: z.object({ credentials: requestCredentialsSchema }),
      output: z.object({}),
    },
    /**
     * Makes a share for one upload, through no reverse share; nobody sees it until it is completed.
     * `ownerToken` is set for one that was made without signing in: to be sent with what follows.
     * Fails like `authorizeShare`, and with validation_failed, share_expiration_too_long,
     * smtp_disabled, share_id_taken, too_many_empty_shares.
     */
    beginShare: {
      input: z.object({
        terms: directShareSchema,
        credentials: requestCredentialsSchema,
        language: languageSchema.nullable(),
      }),
      output: z.object({ grant: uploadGrantSchema, ownerToken: z.string().nullable() }),
    },
    /**
     * Publishes it; its end counts from now. `files` are those it holds. One that is published is
     * only told again. Fails with share_not_found, forbidden, share_expiration_too_long.
     */
    completeShare: {
      input: z.object({
        shareId: z.string(),
        expiration: directShareSchema.shape.expiration,
        credentials: requestCredentialsSchema,
      }),
      output: z.object({
        /** Its link, at the configured address. */
        url: z.string(),
        /** Who opens this address may delete it. */
        deleteUrl: z.string(),
        expiration: z.string(),
        files: z.array(
          z.object({
            id: z.guid(),
            name: z.string(),
            size: z.number(),
            sha256: sha256Schema.nullable(),
          }),
        ),
      }),
    },
    /** Deletes it. Fails with share_not_found, forbidden. */
    abandonShare: {
      input: z.object({ shareId: z.string(), credentials: requestCredentialsSchema }),
      output: z.object({}),
    },
    /** For who has the address that deletes it. Fails with share_not_found. */
    deleteByLink: {
      input: z.object({ shareId: z.string(), secret: z.string() }),
      output: z.object({}),
    },
    /** Shares that were completed and have not ended. */
    countShares: { input: z.object({}), output: z.object({ count: z.number() }) },
    /** Which of these shares still exist. */
    existing: {
      input: z.object({ shareUids: z.array(z.guid()) }),
      output: z.array(z.guid()),
    },
  },
} as const
export type SharePort = Port<typeof sharePort>
