import type { Settings } from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { actorOf, ownAuditEvent } from './audit-events.ts'
import type { SessionStore, UserStore } from './ports.ts'
import type { SecurityLog } from './sessions.ts'
import { SocialError } from './social-ports.ts'
import type { Client, User } from './user.ts'

/** What the roles of somebody at a provider say. */
export interface RoleVerdict {
  mayEnter: boolean
  /** `null` leaves it as it is. */
  isAdmin: boolean | null
}

/** `roles` is `null` where none are asked for: that decides nothing. */
export function judgeRoles(
  settings: Pick<Settings, 'oauth.oidc-roleGeneralAccess' | 'oauth.oidc-roleAdminAccess'>,
  roles: readonly string[] | null,
): RoleVerdict {
  if (roles === null) return { mayEnter: true, isAdmin: null }
  const general = settings['oauth.oidc-roleGeneralAccess'].trim()
  const admin = settings['oauth.oidc-roleAdminAccess'].trim()
  const isAdmin = admin === '' ? null : roles.includes(admin)
  // Administrators need no second role.
  return { mayEnter: general === '' || roles.includes(general) || isAdmin === true, isAdmin }
}

export interface RoleDependencies {
  users: Pick<UserStore, 'changeUser'>
  sessionStore: Pick<SessionStore, 'revokeSessionsOf'>
  log: SecurityLog
  clock: () => Date
}

/** Nobody who may not enter; what they began before ends. Fails with SocialError role_missing. */
export async function refuseWithoutRole(
  { sessionStore, clock }: RoleDependencies,
  user: User | null,
  client: Client,
): Promise<never> {
  if (user) {
    const auditEvent = ownAuditEvent('session.all_ended', user, client, { by: 'oidc' })
    await sessionStore.revokeSessionsOf(user.id, { now: clock(), auditEvent })
  }
  throw new SocialError('role_missing')
}

/** Makes somebody an administrator, or no longer one, as the provider says at this sign-in. */
export async function adoptRole(
  { users, log, clock }: RoleDependencies,
  { user, isAdmin, client }: { user: User; isAdmin: boolean | null; client: Client },
): Promise<User> {
  if (isAdmin === null || isAdmin === user.isAdmin) return user
  try {
    const changes = { isAdmin, now: clock(), actor: actorOf(user, client) }
    return (await users.changeUser(user.id, changes)) ?? user
  } catch (error) {
    // Somebody has to be able to set it right.
    if (!isAppError(error, 'last_admin')) throw error
    log.warn({ userId: user.id }, 'the last administrator has no role for it at the provider')
    return user
  }
}
