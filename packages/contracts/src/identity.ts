import { z } from 'zod'
import { emailSchema } from './names.ts'

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

export const passwordSchema = z.string().min(8).max(1024)

export const signUpSchema = z.object({
  email: emailSchema,
  username: usernameSchema,
  password: passwordSchema,
})
export type SignUpInput = z.infer<typeof signUpSchema>

export const signInSchema = z
  .object({
    email: z.string().min(1).max(254).optional(),
    username: z.string().min(1).max(254).optional(),
    password: z.string().min(1).max(1024),
  })
  .refine(({ email, username }) => email !== undefined || username !== undefined, {
    message: 'email or username is required',
    path: ['email'],
  })
export type SignInInput = z.infer<typeof signInSchema>

export const updateOwnUserSchema = z.object({
  username: usernameSchema.optional(),
  email: emailSchema.optional(),
})
export type UpdateOwnUserInput = z.infer<typeof updateOwnUserSchema>

export const changePasswordSchema = z.object({
  oldPassword: z.string().max(1024).optional(),
  password: passwordSchema,
})
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>

export const userSchema = z
  .object({
    id: z.guid(),
    username: z.string(),
    email: z.string(),
    isAdmin: z.boolean(),
    totpVerified: z.boolean(),
    hasPassword: z.boolean().optional(),
  })
  .meta({ id: 'User' })
export type UserView = z.infer<typeof userSchema>

export const tokensSchema = z
  .object({ accessToken: z.string(), refreshToken: z.string() })
  .meta({ id: 'Tokens' })

export const signUpAnswerSchema = tokensSchema
  .extend({ user: userSchema })
  .meta({ id: 'SignUpAnswer' })
