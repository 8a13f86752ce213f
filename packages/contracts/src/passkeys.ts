import { z } from 'zod'
import { nullAsAbsent } from './blank-as-absent.ts'

/** Of one account. */
export const MOST_PASSKEYS = 20

export const passkeyNameSchema = z.string().trim().min(1).max(60)

export const passkeySchema = z
  .object({
    id: z.guid(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    /** It is kept by a service that has it on several devices. */
    isSynced: z.boolean(),
    /** Its counter went backwards once: somebody may have a copy of it. */
    mayBeCopied: z.boolean(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof passkeySchema>

/** What the browser is asked, as `PublicKeyCredential.parse…OptionsFromJSON` takes it (WebAuthn Level 3 §5.1.8). */
export const passkeyOptionsSchema = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PasskeyOptions' })
export type PasskeyOptions = z.output<typeof passkeyOptionsSchema>

const encoded = z.base64url().max(20_000)
const common = {
  id: z.base64url().min(1).max(1_400),
  rawId: z.base64url().min(1).max(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: nullAsAbsent(z.string().max(40)),
}

/** `RegistrationResponseJSON` of the browser. */
export const newPasskeySchema = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: nullAsAbsent(z.array(z.string().max(20)).max(10)),
  }),
})

/** `AuthenticationResponseJSON` of the browser. */
export const usedPasskeySchema = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: nullAsAbsent(z.base64url().max(200)),
  }),
})
export type UsedPasskey = z.output<typeof usedPasskeySchema>

export const addPasskeySchema = z.object({ name: passkeyNameSchema, passkey: newPasskeySchema })
export type AddPasskeyInput = z.output<typeof addPasskeySchema>

const loginTokenSchema = z.string().min(1).max(200)

/** Without a login token for a sign-in by the passkey alone, with one for the second step. */
export const passkeyRequestSchema = z.object({ loginToken: nullAsAbsent(loginTokenSchema) })
export const signInPasskeySchema = z.object({
  passkey: usedPasskeySchema,
  loginToken: nullAsAbsent(loginTokenSchema),
})
export type SignInPasskeyInput = z.output<typeof signInPasskeySchema>
