import { type AdminPort, type SocialLink, socialProviders } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { ownAuditEvent } from './audit-events.ts'
import { socialLandings } from './social-landings.ts'
import type { IdentityStore } from './social-ports.ts'
import { availableProviders } from './social-settings.ts'
import type { SessionOrigin, User } from './user.ts'

/** The accounts of other sites that a user signs in with. */
export interface SocialLinks {
  listLinks(userId: string): Promise<SocialLink[]>
  /**
   * The address of the error page when nothing was linked, `null` when it is unlinked now. Fails
   * with last_sign_in_method unless confirmed.
   */
  unlink(
    user: User,
    provider: string,
    options: { isConfirmed: boolean; origin: SessionOrigin },
  ): Promise<string | null>
}

export interface SocialLinksDependencies {
  identities: IdentityStore
  admin: AdminPort
}

export function createSocialLinks({ identities, admin }: SocialLinksDependencies): SocialLinks {
  return {
    listLinks: (userId) => identities.listLinks(userId),

    async unlink(user, name, { isConfirmed, origin }) {
      const settings = await admin.settings({})
      // Also of a provider that is off by now: its link is still there.
      const provider = socialProviders.find((known) => known === name)
      if (!provider) throw new AppError('social_provider_disabled')
      const otherWaysIn = availableProviders(settings).filter((one) => one !== provider)
      const outcome = await identities.unlink(user.id, provider, {
        otherWaysIn,
        isConfirmed,
        auditEvent: ownAuditEvent('social.unlinked', user, origin, { provider }),
      })
      if (outcome === 'last-way-in') throw new AppError('last_sign_in_method')
      if (outcome === 'unlinked') return null
      return socialLandings(settings, provider).error('not_linked', '/account')
    },
  }
}
