import type { AuditEvent, AuditAction, Identity } from '@floe/contracts'
import type { Caller } from './ownership.ts'
import type { Share } from './share.ts'

/** The audit event of a change that only the rights of an administrator allow. */
export function adminAuditEvent(
  action: AuditAction,
  share: Share,
  {
    identity,
    caller,
    fields = [],
  }: { identity: Identity | null; caller: Caller; fields?: readonly string[] },
): AuditEvent {
  const { clientAddress: address, userAgent } = caller
  const actor = { id: identity?.userId ?? null, name: identity?.username ?? null }
  return {
    action,
    actor: { ...actor, address, userAgent },
    target: { type: 'share', id: share.id, name: share.name },
    details: fields.length === 0 ? {} : { fields: fields.join(' ') },
  }
}
