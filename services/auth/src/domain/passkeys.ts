import { randomUUID } from 'node:crypto'
import {
  type AddPasskeyInput,
  type AdminPort,
  MOST_PASSKEYS,
  type Passkey,
  type PasskeyOptions,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { askForCreation, readCreated } from '../providers/webauthn.ts'
import { ownAuditEvent } from './audit-events.ts'
import { challengeOf, type PasskeyChallenges } from './passkey-challenges.ts'
import type { PasskeyStore, StoredPasskey } from './passkey-ports.ts'
import type { OwnPasswords } from './own-password.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { relyingParty } from './relying-party.ts'
import type { ActiveSession, SessionOrigin, User } from './user.ts'

/** The passkeys of one's own account. */
export interface Passkeys {
  list(session: ActiveSession): Promise<Passkey[]>
  /**
   * Fails with wrong_password, recent_sign_in_required, too_many_requests, passkeys_unavailable,
   * too_many_passkeys.
   */
  begin(session: ActiveSession, password: string | undefined): Promise<PasskeyOptions>
  /** Fails with passkeys_unavailable, passkey_refused, too_many_passkeys. */
  add(
    session: ActiveSession,
    input: AddPasskeyInput,
    origin: SessionOrigin,
  ): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }>
  /** Fails with passkey_not_found. */
  rename(session: ActiveSession, id: string, name: string): Promise<Passkey>
  /** Fails with wrong_password, recent_sign_in_required, too_many_requests, passkey_not_found. */
  remove(
    session: ActiveSession,
    { id, password }: { id: string; password: string | undefined },
    origin: SessionOrigin,
  ): Promise<void>
}

export interface PasskeysDependencies {
  passkeyStore: PasskeyStore
  challenges: PasskeyChallenges
  ownPasswords: OwnPasswords
  admin: AdminPort
  clock: () => Date
}

export function createPasskeys(dependencies: PasskeysDependencies): Passkeys {
  const { passkeyStore, challenges, ownPasswords, admin } = dependencies
  return {
    list: async ({ user }) => (await passkeyStore.list(user.id)).map(present),

    begin: (session, password) =>
      ownPasswords.prove(session, { password }, async () => {
        const { user } = session
        const site = relyingParty(await admin.settings({}))
        const known = await passkeyStore.list(user.id)
        if (known.length >= MOST_PASSKEYS) throw tooMany()
        const challenge = challenges.issue({ for: 'adding', userId: user.id })
        const owner = { handle: handleOf(user), name: user.username }
        return askForCreation(site, { challenge, user: owner, known })
      }),

    add: (session, input, origin) => add(dependencies, session, input, origin),

    async rename({ user }, id, name) {
      const renamed = await passkeyStore.rename({ id, userId: user.id }, name)
      if (!renamed) throw new AppError('passkey_not_found')
      return present(renamed)
    },

    remove: (session, { id, password }, origin) =>
      ownPasswords.prove(session, { password }, async () => {
        const { user } = session
        const auditEvent = ownAuditEvent('passkey.removed', user, origin)
        const isRemoved = await passkeyStore.remove({ id, userId: user.id }, auditEvent)
        if (!isRemoved) throw new AppError('passkey_not_found')
      }),
  }
}

async function add(
  { passkeyStore, challenges, admin, clock }: PasskeysDependencies,
  { user }: ActiveSession,
  { name, passkey }: AddPasskeyInput,
  origin: SessionOrigin,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const site = relyingParty(await admin.settings({}))
  const answered = challengeOf(passkey)
  const challenge = challenges.open(answered, { for: 'adding', userId: user.id })
  const created = challenge && (await readCreated(site, { passkey, challenge: answered }))
  if (!challenge || !created) throw new AppError('passkey_refused')
  const added = { ...created, id: randomUUID(), userId: user.id, name, createdAt: clock() }
  const codes = createRecoveryCodes()
  const outcome = await passkeyStore.add(added, {
    most: MOST_PASSKEYS,
    challenge,
    recoveryCodes: codes.flatMap((code) => hashRecoveryCode(code) ?? []),
    auditEvent: ownAuditEvent('passkey.added', user, origin, { name }),
  })
  if (outcome === 'too_many') throw tooMany()
  if (outcome === 'refused') throw new AppError('passkey_refused')
  const shown = present({ ...added, mayBeCopied: false, lastUsedAt: null })
  return { passkey: shown, recoveryCodes: outcome === 'added_with_codes' ? codes : null }
}

function tooMany(): AppError {
  return new AppError('too_many_passkeys', { values: { count: MOST_PASSKEYS } })
}

/** By which authenticators know the account: nothing that tells who it is. */
function handleOf({ id }: User): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(id.replaceAll('-', ''), 'hex'))
}

function present(passkey: StoredPasskey): Passkey {
  const { id, name, isSynced, mayBeCopied, createdAt, lastUsedAt } = passkey
  return {
    ...{ id, name, isSynced, mayBeCopied },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
