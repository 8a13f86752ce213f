import type { AuditEvent } from '@floe/contracts'
import type { NewSession } from './ports.ts'

export interface StoredPasskey {
  id: string
  userId: string
  name: string
  /** As the authenticator names it. */
  credentialId: Buffer
  /** COSE. */
  publicKey: Buffer
  /** How often it was used, as it says itself; many always say 0. */
  counter: number
  transports: string[]
  isSynced: boolean
  mayBeCopied: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

export type NewPasskey = Omit<StoredPasskey, 'mayBeCopied' | 'lastUsedAt'>

/** A challenge that was answered: it is remembered for as long as it could be answered again. */
export interface UsedChallenge {
  hash: Buffer
  now: Date
  expiresAt: Date
}

/** Passkeys. They go with their owner. */
export interface PasskeyStore {
  /** The newest first. */
  list(userId: string): Promise<StoredPasskey[]>
  find(credentialId: Buffer): Promise<StoredPasskey | null>
  /**
   * With the recovery codes, where the account has none. `refused` for a challenge that was used, and
   * for an authenticator's passkey that is there already.
   */
  add(
    passkey: NewPasskey,
    options: {
      most: number
      challenge: UsedChallenge
      recoveryCodes: readonly Buffer[]
      auditEvent: AuditEvent
    },
  ): Promise<'added' | 'added_with_codes' | 'too_many' | 'refused'>
  rename(key: { id: string; userId: string }, name: string): Promise<StoredPasskey | null>
  /** The recovery codes go with the last one, unless codes of an app are asked for. */
  remove(key: { id: string; userId: string }, auditEvent: AuditEvent): Promise<boolean>
  /** Uses challenge, counter and login token up and starts the session: all, or nothing. */
  signIn(signIn: {
    passkey: Pick<StoredPasskey, 'id' | 'userId'>
    counter: number
    challenge: UsedChallenge
    loginTokenHash: Buffer | null
    session: NewSession
    now: Date
    auditEvent: AuditEvent
  }): Promise<'signed_in' | 'copied' | 'refused' | 'token_refused'>
  /** Its counter went backwards. */
  noteCopy(id: string, auditEvent: AuditEvent): Promise<void>
}
