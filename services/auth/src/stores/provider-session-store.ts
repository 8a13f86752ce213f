import type { AuditEvent } from '@floe/contracts'
import { type Database, recordAuditEvents } from '@floe/db'
import { unknownActor } from '../domain/audit-events.ts'
import type { ProviderSessionStore } from '../domain/provider-sessions.ts'
import { revokeSessions } from './session-rows.ts'

interface ProviderSessionRow {
  session_id: string
  issuer: string
  subject: string
  sid: string | null
  sealed_id_token: Buffer
}

/** Sessions that began at an OpenID provider, which may end them. */
export function createProviderSessionStore({ knex }: Database): ProviderSessionStore {
  return {
    async findProviderSession(sessionId) {
      const row = await knex<ProviderSessionRow>('provider_sessions')
        .where({ session_id: sessionId })
        .first()
      if (row === undefined) return null
      const { issuer, subject, sid, sealed_id_token: sealedIdToken } = row
      return { issuer, subject, sid, sealedIdToken }
    },

    endProviderSessions: ({ issuer, subject, sid, startedBefore, now, origin }) =>
      knex.transaction(async (trx) => {
        const rows = await trx('provider_sessions')
          .join('sessions', 'sessions.id', 'provider_sessions.session_id')
          .join('users', 'users.id', 'sessions.user_id')
          .where({ issuer, 'sessions.revoked_at': null })
          .where('sessions.created_at', '<=', startedBefore)
          .whereRaw('(? :: text is null or subject = ?)', [subject, subject])
          .whereRaw('(? :: text is null or sid is null or sid = ?)', [sid, sid])
          // One without a `sid` of its own is found by its subject alone.
          .whereRaw('(sid is not null or ? :: text is not null)', [subject])
          .select<{ id: string; username: string }[]>('sessions.id', 'users.username')
        await revokeSessions(trx, now).whereIn(
          'id',
          rows.map(({ id }) => id),
        )
        const auditEvents = rows.map(({ id, username }): AuditEvent => ({
          action: 'session.ended',
          actor: unknownActor(origin),
          target: { type: 'session', id, name: username },
          details: { by: 'oidc' },
        }))
        if (auditEvents.length > 0) await recordAuditEvents(trx, auditEvents)
      }),
  }
}
