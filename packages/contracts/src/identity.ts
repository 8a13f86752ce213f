import { z } from 'zod'
import { blankAsAbsent, nullAsAbsent } from './blank-as-absent.ts'
import { emailSchema } from './names.ts'
import { MIN_PASSWORD_LENGTH } from './password-length.ts'
import { sharingExceptionsSchema } from './sharing-rules.ts'

export const ACCESS_TOKEN_COOKIE = 'access_token'
export const REFRESH_TOKEN_COOKIE = 'refresh_token'
export const REFRESH_TOKEN_PATH = '/api/auth/token'

/** An access token lives this long; the cookie outlives it so that the page knows to renew. */
export const ACCESS_TOKEN_TTL_SECONDS = 15 * 60

export const usernameSchema = z
  .string()
  .min(3)
  .max(32)
  .regex(/^[A-Za-z0-9_.]+$/, 'Can only contain letters, numbers, dots and underscores')

export const passwordSchema = z.string().min(MIN_PASSWORD_LENGTH).max(1024)

export const signUpSchema = z.object({
  email: emailSchema,
  username: usernameSchema,
  password: passwordSchema,
})
export type SignUpInput = z.infer<typeof signUpSchema>

export const signInSchema = z
  .object({
    email: nullAsAbsent(z.string().min(1).max(254)),
    username: nullAsAbsent(z.string().min(1).max(254)),
    password: z.string().min(1).max(1024),
  })
  .refine(({ email, username }) => email !== undefined || username !== undefined, {
    message: 'email or username is required',
    path: ['email'],
  })
export type SignInInput = z.infer<typeof signInSchema>

/** Blank asks for anybody. */
export const directoryTrialInputSchema = z.object({
  username: blankAsAbsent(z.string().trim().min(1).max(254)),
})

/** Whom the directory found. */
export const directoryTrialSchema = z.object({
  /** DNs, as those of the groups. */
  entry: z.string(),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** Null where no group makes administrators. */
  isAdmin: z.boolean().nullable(),
})
export type DirectoryTrial = z.infer<typeof directoryTrialSchema>

export const changePasswordSchema = z.object({
  oldPassword: nullAsAbsent(z.string().max(1024)),
  password: passwordSchema,
})
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>

const totpCodeSchema = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'Must be exactly 6 digits')
/** What confirms a sensitive change: the password, which an account without one has not. */
export const confirmationSchema = nullAsAbsent(z.string().max(1024))

/** A code of the authenticator app, or one of the recovery codes. */
const anyCodeSchema = z.string().trim().min(6).max(64)

export const updateOwnUserSchema = z.object({
  username: nullAsAbsent(usernameSchema),
  email: nullAsAbsent(emailSchema),
  /** Whether visitors of this user's shares are told the username. */
  showName: nullAsAbsent(z.boolean()),
  /** Needed for another address. */
  password: confirmationSchema,
  /** In place of a sign-in of the last five minutes, where the account has no password. */
  totp: nullAsAbsent(anyCodeSchema),
})
export type UpdateOwnUserInput = z.infer<typeof updateOwnUserSchema>

export const signInTotpSchema = z.object({
  totp: anyCodeSchema,
  loginToken: z.string().min(1).max(200),
})
export type SignInTotpInput = z.infer<typeof signInTotpSchema>

export const enableTotpSchema = z.object({ password: confirmationSchema })
export const verifyTotpSchema = z.object({ code: totpCodeSchema, password: confirmationSchema })
/** A recovery code also disables TOTP: the authenticator may be lost. */
export const disableTotpSchema = z.object({
  code: anyCodeSchema,
  password: confirmationSchema,
})
/** `code` is needed once there have been recovery codes. */
export const recoveryCodesSchema = z.object({
  code: nullAsAbsent(totpCodeSchema),
  password: confirmationSchema,
})

export const totpEnrolmentSchema = z
  .object({ totpAuthUrl: z.string(), totpSecret: z.string(), qrCode: z.string() })
  .meta({ id: 'TotpEnrolment' })
export type TotpEnrolment = z.infer<typeof totpEnrolmentSchema>

export const resetPasswordSchema = z.object({
  token: z.string().min(1).max(200),
  password: passwordSchema,
})
export type ResetPasswordInput = z.infer<typeof resetPasswordSchema>

export const confirmEmailSchema = z.object({ token: z.string().min(1).max(200) })
export type ConfirmEmailInput = z.infer<typeof confirmEmailSchema>

/** Bytes; null leaves it to `share.userStorageLimit`, 0 is no limit. */
const storageLimitSchema = z.int().min(0).nullable()

/** Bytes of one share; null leaves it to `share.maxSize`, 0 is no limit. */
const shareSizeLimitSchema = z.int().min(0).nullable()

export const createUserSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  isAdmin: z.boolean().default(false),
  /** Absent: the user is sent a link to set one. */
  password: nullAsAbsent(passwordSchema),
  storageLimit: storageLimitSchema.default(null),
  shareSizeLimit: shareSizeLimitSchema.default(null),
})
export type CreateUserInput = z.infer<typeof createUserSchema>

export const updateUserSchema = z.object({
  username: nullAsAbsent(usernameSchema),
  email: nullAsAbsent(emailSchema),
  isAdmin: nullAsAbsent(z.boolean()),
  password: nullAsAbsent(passwordSchema),
  storageLimit: storageLimitSchema.optional(),
  shareSizeLimit: shareSizeLimitSchema.optional(),
  /** It waits no longer, which is never taken back. */
  isWaiting: z.literal(false).optional(),
  /** In place of those before: what is absent is left to the settings. */
  sharingExceptions: sharingExceptionsSchema.optional(),
})
export type UpdateUserInput = z.infer<typeof updateUserSchema>

/** A device that is signed in. */
export const sessionSchema = z
  .object({
    id: z.guid(),
    userAgent: z.string(),
    clientAddress: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'Session' })
export type SessionView = z.infer<typeof sessionSchema>

/** In the order they are shown. */
export const socialProviders = ['github', 'google', 'microsoft', 'discord', 'oidc'] as const
export type SocialProvider = (typeof socialProviders)[number]

export const socialLinkSchema = z.object({
  provider: z.enum(socialProviders),
  providerUsername: z.string(),
})
export type SocialLink = z.infer<typeof socialLinkSchema>

/** Why a social sign-in ended on the error page: `/error?error=<code>&params=provider_<name>`. */
export const socialErrorCodes = [
  'access_denied',
  'expired_token',
  'invalid_token',
  'no_user',
  'no_email',
  'already_linked',
  'not_linked',
  'unverified_account',
  'discord_guild_permission_denied',
  'cannot_get_user_info',
  'email_already_exists',
  'email_domain_refused',
  'account_waiting',
  'role_missing',
  'default',
] as const
export type SocialErrorCode = (typeof socialErrorCodes)[number]

/** A path within the site: one leading slash, nothing a browser reads as another host. */
export const redirectPathSchema = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/, 'Must be a path of this site')

export const userSchema = z
  .object({
    id: z.guid(),
    username: z.string(),
    email: z.string(),
    isAdmin: z.boolean(),
    totpVerified: z.boolean(),
    hasPassword: z.boolean().optional(),
    /** The account is kept in a directory, which has its name, address and password. */
    isLdap: z.literal(true).optional(),
    /** Only for the user: whether visitors of their shares are told the username. */
    showName: z.boolean().optional(),
    /** Only for the user: the address that counts once it was confirmed. */
    pendingEmail: z.string().optional(),
    /** Only for the user, who may not share before opening the link sent to their address. */
    mustVerifyEmail: z.literal(true).optional(),
    /** Only for the user, who may do nothing else before a second factor is set up. */
    mustSetUpSecondFactor: z.literal(true).optional(),
    /** Only for administrators. */
    hasPasskeys: z.literal(true).optional(),
    /** Only for administrators: the account lets nobody in before one of them has approved it. */
    isWaiting: z.literal(true).optional(),
    /** Only for administrators. */
    storageLimit: storageLimitSchema.optional(),
    /** For the user and for administrators. */
    shareSizeLimit: shareSizeLimitSchema.optional(),
    /** For the user and for administrators; absent where there are none. */
    sharingExceptions: sharingExceptionsSchema.optional(),
  })
  .meta({ id: 'User' })
export type UserView = z.infer<typeof userSchema>

export const tokensSchema = z
  .object({ accessToken: z.string(), refreshToken: z.string() })
  .meta({ id: 'Tokens' })

/** The second step is due: no cookies yet. */
export const loginTokenSchema = z.object({ loginToken: z.string() }).meta({ id: 'LoginToken' })

export const signUpResponseSchema = tokensSchema
  .extend({ user: userSchema })
  .meta({ id: 'SignUpResponse' })
