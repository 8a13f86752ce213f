import { z } from 'zod'
import { routeScopeSchema } from '../api-tokens.ts'
import { emailStandingSchema } from '../email-standing.ts'
import { sharingExceptionsSchema } from '../sharing-rules.ts'
import { listOwnDataMethod } from '../stored-data.ts'
import type { Port } from './port.ts'

export const identitySchema = z.object({
  userId: z.guid(),
  sessionId: z.guid(),
  username: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  hasPassword: z.boolean(),
  totpVerified: z.boolean(),
  /** The account is kept in a directory. */
  isLdap: z.literal(true).optional(),
  /** An older process does not say. */
  emailStanding: emailStandingSchema.default('assumed'),
  /** Nothing else may be done before a second factor is set up. */
  mustSetUpSecondFactor: z.literal(true).optional(),
  /** Bytes of one share, see `storageLimit` below. An older process does not say. */
  shareSizeLimit: z.number().nullish(),
  /** An older process does not say. */
  sharingExceptions: sharingExceptionsSchema.optional(),
  /** What a token allows of what its owner may; absent with a session. */
  tokenCaps: z
    .object({ maxShareBytes: z.number().nullable(), maxExpirationHours: z.number().nullable() })
    .nullish(),
})
export type Identity = z.infer<typeof identitySchema>

export const authPort = {
  name: 'auth',
  methods: {
    listOwnData: listOwnDataMethod,
    /**
     * Who holds this access token: `null` unless its session and user are alive right now, and for
     * somebody who has to set up a second factor first, except where that is asked about.
     */
    identify: {
      input: z.object({
        accessToken: z.string().nullable(),
        beforeSecondFactor: z.boolean().optional(),
      }),
      output: identitySchema.nullable(),
    },
    /**
     * Whether this token has what the route needs; its use is noted. Fails with token_invalid,
     * which one that is used from elsewhere is too.
     */
    checkToken: {
      input: z.object({
        token: z.string(),
        scope: routeScopeSchema,
        clientAddress: z.string(),
        userAgent: z.string(),
      }),
      output: z.object({ isInScope: z.boolean() }),
    },
    /** The users of these ids, in any order; absent ones are left out. */
    findUsers: {
      input: z.object({ ids: z.array(z.guid()) }),
      output: z.array(
        z.object({
          id: z.guid(),
          username: z.string(),
          email: z.string(),
          /** Visitors of this user's shares are told the username. An older process does not say. */
          showsName: z.boolean().default(false),
          isAdmin: z.boolean().default(false),
          sharingExceptions: sharingExceptionsSchema.default({}),
        }),
      ),
    },
    /** Those who may be written to: an address that its user still has to prove is left out. */
    listAdministrators: {
      input: z.object({}),
      output: z.array(z.object({ id: z.guid(), email: z.string() })),
    },
    countUsers: { input: z.object({}), output: z.object({ count: z.number() }) },
    /** Most bytes this user may store, and may share at once; null leaves it to the setting, 0 is no limit. */
    storageLimit: {
      input: z.object({ userId: z.guid() }),
      output: z.object({
        maxBytes: z.number().nullable(),
        /** An older process does not say. */
        maxShareBytes: z.number().nullable().default(null),
      }),
    },
    /** Whether one of the providers that are switched on is there and takes the client. */
    hasWorkingProvider: { input: z.object({}), output: z.object({ isThere: z.boolean() }) },
    /** Ids of users whose name or address contains the text, a thousand at most. */
    searchUsers: {
      input: z.object({ text: z.string() }),
      output: z.array(z.guid()),
    },
  },
} as const
export type AuthPort = Port<typeof authPort>
