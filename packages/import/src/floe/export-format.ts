import { emailStandingSchema, receiverSchema, sealedKeySchema } from '@floe/contracts'
import { z } from 'zod'

/** Written last: a folder without it is no whole export. No id of a share has a dot. */
export const EXPORT_FILE = 'floe.export.json'

/** Counts changes that an older import cannot read. Since 2 there are encrypted shares. */
export const EXPORT_FORMAT = 2

const instant = z.iso.datetime()
const count = z.number().int().nonnegative()

const accountSchema = z.object({
  id: z.string(),
  createdAt: instant,
  username: z.string(),
  email: z.string(),
  /** Argon2id in PHC form. */
  passwordHash: z.string().nullable(),
  isAdmin: z.boolean(),
  /** Base32. */
  totpSecret: z.string().nullable(),
  identities: z.array(
    z.object({
      provider: z.string(),
      issuer: z.string(),
      subject: z.string(),
      username: z.string(),
    }),
  ),
  storageLimitBytes: count.nullable(),
  shareSizeLimitBytes: count.nullable(),
  showsName: z.boolean(),
  emailStanding: emailStandingSchema,
  /** Exports of older versions have none. */
  directoryId: z.string().nullable().default(null),
})

const reverseShareSchema = z.object({
  id: z.string(),
  createdAt: instant,
  token: z.string(),
  name: z.string().nullable(),
  expiration: instant,
  maxBytes: count,
  remainingUses: count,
  passwordHash: z.string().nullable(),
  sendsNotice: z.boolean(),
  asksSenderName: z.boolean(),
  isSimplified: z.boolean(),
  isPublic: z.boolean(),
  /** To whom its shares are encrypted. */
  receiver: receiverSchema.nullable().default(null),
  creatorId: z.string(),
})

/** What `EXPORT_FILE` has: everything that is not one share's. */
export const exportSchema = z.object({
  format: z.int().min(1).max(EXPORT_FORMAT),
  version: z.string(),
  createdAt: instant,
  accounts: z.array(accountSchema),
  reverseShares: z.array(reverseShareSchema),
})

/** What `<id>.json` has, beside the folder `<id>`. */
export const exportedShareSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  createdAt: instant,
  /** Null is never. */
  expiration: instant.nullable(),
  views: count,
  maxViews: count.nullable(),
  passwordHash: z.string().nullable(),
  removedReason: z.string().nullable(),
  senderName: z.string().nullable(),
  creatorId: z.string().nullable(),
  reverseShareId: z.string().nullable(),
  /** Whose reverse share it came through. */
  receiverId: z.string().nullable(),
  isPrivate: z.boolean(),
  recipients: z.array(z.string()),
  /** Nobody but they and the creator may open it. */
  restrictsToRecipients: z.boolean(),
  /** Its files are ciphertexts, which the key in its link opens. */
  isEncrypted: z.boolean().default(false),
  /** Its key, for the receiver of its reverse share alone. */
  sealedKey: sealedKeySchema.nullable().default(null),
  files: z.array(
    z.object({
      id: z.string(),
      /** As its sender called it. */
      name: z.string(),
      size: count,
      sha256: z.string(),
      createdAt: instant,
      /** Where its bytes are, from the folder of the export. */
      path: z.string(),
    }),
  ),
})

export type Export = z.infer<typeof exportSchema>
export type ExportedShare = z.infer<typeof exportedShareSchema>
