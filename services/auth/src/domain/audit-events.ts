import type { AuditEvent, Actor, AuditAction } from '@floe/contracts'
import type { SessionOrigin, User } from './user.ts'

type Named = Pick<User, 'id' | 'username'>

/** The user as the actor of an audit event, with the client it came from. */
export function actorOf(user: Named, { address, userAgent }: SessionOrigin): Actor {
  return { id: user.id, name: user.username, address, userAgent }
}

/** A client that has not signed in. */
export function unknownActor({ address, userAgent }: SessionOrigin): Actor {
  return { id: null, name: null, address, userAgent }
}

export function onUser(user: Named) {
  return { type: 'user', id: user.id, name: user.username } as const
}

/** The audit event of a user's change to their own account. */
export function ownAuditEvent(
  action: AuditAction,
  user: Named,
  origin: SessionOrigin,
  details: Record<string, string> = {},
): AuditEvent {
  return { action, actor: actorOf(user, origin), target: onUser(user), details }
}

/** A try to be let in that failed. What was typed is not kept: it may be somebody's password. */
export function failedSignIn(
  user: Named | null,
  origin: SessionOrigin,
  details: Record<string, string>,
): AuditEvent {
  return {
    action: 'sign_in.failed',
    actor: unknownActor(origin),
    target: user && onUser(user),
    details,
  }
}

const changedFields = ['username', 'email', 'storageLimit', 'shareSizeLimit'] as const

/** The audit events of an account change: one for each part that matters by itself. */
export function auditEventsOfChange(
  actor: Actor,
  { before, after, hasNewPassword }: { before: User; after: User; hasNewPassword: boolean },
): AuditEvent[] {
  const target = onUser(after)
  const fields: string[] = changedFields.filter((field) => before[field] !== after[field])
  const exceptions = [before, after].map((user) => JSON.stringify(user.sharingExceptions))
  if (exceptions[0] !== exceptions[1]) fields.push('sharingExceptions')
  const actions: AuditAction[] = []
  if (before.isAdmin !== after.isAdmin) {
    actions.push(after.isAdmin ? 'user.promoted' : 'user.demoted')
  }
  if (before.isWaiting && !after.isWaiting) actions.push('user.approved')
  if (hasNewPassword) actions.push('user.password_set')
  return [
    ...(fields.length === 0
      ? []
      : [
          { action: 'user.updated', actor, target, details: { fields: fields.join(' ') } } as const,
        ]),
    ...actions.map((action) => ({ action, actor, target })),
  ]
}
