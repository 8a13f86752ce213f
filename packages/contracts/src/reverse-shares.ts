import { z } from 'zod'
import { blankAsAbsent, nullAsAbsent } from './blank-as-absent.ts'
import { expirationSchema } from './duration.ts'
import { byteCountSchema, shareIdSchema } from './names.ts'
import { publicKeySchema, receiverSchema, sealedKeySchema } from './receivers.ts'
import {
  keptUntilSchema,
  shareNameSchema,
  sharePasswordSchema,
  shareReceiptSchema,
  waitsForScanSchema,
} from './shares.ts'

/** Cookie that says through whose link a share is made: its value is the link's token. */
export const REVERSE_SHARE_COOKIE = 'reverse_share_token'

/** Cookie that proves the password of one reverse share was given. */
export function reverseShareAccessCookie(token: string): string {
  return `reverse_share_${token}_access`
}

export const MAX_REVERSE_SHARE_USES = 1_000

export const reverseShareTokenSchema = shareIdSchema

const maxShareSizeSchema = byteCountSchema.refine((bytes) => bytes > 0, 'must be more than 0')
const useCountSchema = z.int().max(MAX_REVERSE_SHARE_USES)

function withoutNever<T extends z.ZodType<string>>(schema: T) {
  return schema.refine((text) => text !== 'never', 'must not be never')
}

/** Sizes are decimal strings of bytes. */
export const createReverseShareSchema = z.object({
  shareExpiration: withoutNever(expirationSchema),
  maxShareSize: maxShareSizeSchema,
  maxUseCount: useCountSchema.min(1),
  sendEmailNotification: z.boolean(),
  /** What it is for, shown to its senders. */
  name: blankAsAbsent(shareNameSchema),
  password: blankAsAbsent(sharePasswordSchema),
  /** The end of the link; made up when absent. */
  token: blankAsAbsent(reverseShareTokenSchema),
  /** Senders without an account must say who they are. */
  askSenderName: z.boolean().default(false),
  /** Otherwise only the owner can open what was sent. */
  publicAccess: z.boolean().default(true),
  /** The page asks senders for a name and a note only. */
  simplified: z.boolean().default(false),
  /** All that is sent is encrypted to it; it cannot be changed later. */
  receiver: nullAsAbsent(receiverSchema),
})
export type CreateReverseShareInput = z.infer<typeof createReverseShareSchema>

/**
 * `null` clears a field; an absent field stays. `shareExpiration` is relative or an ISO date, and
 * moves the end of the shares inside along. `remainingUses` 0 closes the link.
 */
export const updateReverseShareSchema = z.object({
  shareExpiration: withoutNever(
    z.union([expirationSchema, z.iso.datetime({ offset: true })]),
  ).optional(),
  maxShareSize: maxShareSizeSchema.optional(),
  remainingUses: useCountSchema.min(0).optional(),
  sendEmailNotification: z.boolean().optional(),
  name: z
    .union([z.literal(''), shareNameSchema])
    .nullable()
    .optional(),
  password: sharePasswordSchema.nullable().optional(),
  askSenderName: z.boolean().optional(),
  publicAccess: z.boolean().optional(),
  simplified: z.boolean().optional(),
})
export type UpdateReverseShareInput = z.infer<typeof updateReverseShareSchema>

export const reverseSharePasswordSchema = z.object({ password: nullAsAbsent(z.string().max(1024)) })

/** `link` is the address of the page to send files at. */
export const createdReverseShareSchema = z
  .object({ token: z.string(), link: z.string() })
  .meta({ id: 'CreatedReverseShare' })

/** A share that was sent through a reverse share. `size` is a number of bytes. */
export const receivedShareSchema = shareReceiptSchema
  .extend({
    views: z.number(),
    createdAt: z.string(),
    size: z.number(),
    fileCount: z.number(),
    hasPassword: z.boolean(),
    /** Its sender, if signed in. */
    creator: z.object({ username: z.string() }).optional(),
    /** What a sender without an account gave. */
    senderName: z.string().optional(),
    /** Here a new expiration of the reverse share opens it again. */
    /** There where its files are encrypted, for the receiver of the reverse share. */
    sealedKey: sealedKeySchema.optional(),
    keptUntil: keptUntilSchema,
    waitsForScan: waitsForScanSchema,
  })
  .meta({ id: 'ReceivedShare' })
export type ReceivedShare = z.infer<typeof receivedShareSchema>

const reverseShareLimits = {
  id: z.string(),
  token: z.string(),
  maxShareSize: z.string(),
  shareExpiration: z.string(),
  remainingUses: z.number(),
  simplified: z.boolean(),
  hasPassword: z.boolean(),
  askSenderName: z.boolean(),
}

/** What the owner sees of an own reverse share. */
export const ownReverseShareSchema = z
  .object({
    ...reverseShareLimits,
    name: z.string().nullable(),
    createdAt: z.string(),
    sendEmailNotification: z.boolean(),
    publicAccess: z.boolean(),
    /** There where all that is sent is encrypted. */
    receiver: receiverSchema.optional(),
    shares: z.array(receivedShareSchema),
  })
  .meta({ id: 'OwnReverseShare' })
export type OwnReverseShare = z.infer<typeof ownReverseShareSchema>

/** What a sender sees. `name` is null until the password, if there is one, was given. */
export const reverseShareViewSchema = z
  .object({
    ...reverseShareLimits,
    name: z.string().nullable(),
    /** No password is needed, or this browser gave it. */
    isUnlocked: z.boolean(),
    /**
     * Of its receiver, where what is sent has to be encrypted. Senders compare it with the one in
     * their link, which no server has touched.
     */
    publicKey: publicKeySchema.optional(),
  })
  .meta({ id: 'ReverseShare' })
export type ReverseShareView = z.infer<typeof reverseShareViewSchema>

export const reverseShareTokenAvailabilitySchema = z
  .object({ isAvailable: z.boolean() })
  .meta({ id: 'ReverseShareTokenAvailability' })
