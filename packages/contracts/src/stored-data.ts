import { z } from 'zod'
import type { PortMethod } from './ports/port.ts'

/**
 * What an installation keeps, in the order people are told it. Each table of the database belongs
 * to one kind (`StoredTable` in `packages/db`), and each kind has its words on the page that says
 * what is stored.
 */
export const dataKinds = [
  'account',
  'signIn',
  'sessions',
  'attempts',
  'links',
  'tokens',
  'shares',
  'files',
  'visits',
  'reverseShares',
  'webhooks',
  'notices',
  'audit',
  'instance',
] as const
export type DataKind = (typeof dataKinds)[number]

/** When a kind goes, apart from the end of the account it belongs to. */
export const dataEnds = {
  account: 'account',
  signIn: 'account',
  sessions: 'session',
  attempts: 'soon',
  links: 'soon',
  tokens: 'account',
  shares: 'share',
  files: 'share',
  visits: 'share',
  reverseShares: 'share',
  webhooks: 'account',
  notices: 'soon',
  audit: 'audit',
  instance: 'never',
} as const satisfies Record<DataKind, string>
export type DataEnd = (typeof dataEnds)[DataKind]

const placeSchema = z.object({ table: z.string(), offset: z.int().min(0) })

/**
 * A page of what a service stores of an account: rows of one table, `after` what is to be asked for
 * next and `null` after the last one. Hashes, keys and secrets are left out.
 */
export const listOwnDataMethod = {
  input: z.object({ userId: z.guid(), after: placeSchema.nullable() }),
  output: z.object({
    table: z.string(),
    rows: z.array(z.record(z.string(), z.unknown())),
    after: placeSchema.nullable(),
  }),
} satisfies PortMethod

export type ListOwnData = (
  input: z.output<typeof listOwnDataMethod.input>,
) => Promise<z.output<typeof listOwnDataMethod.output>>
