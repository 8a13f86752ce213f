import type { AdminPort, AuthPort, StorageStatus } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { rememberLimits } from '@floe/limits'

/** Most bytes that may be counted; 0 means no limit. */
export interface Limits {
  maxShareBytes: number
  maxUserBytes: number
  maxInstanceBytes: number
}

/** For what takes no space, and may therefore always be counted. */
export const noLimits: Limits = { maxShareBytes: 0, maxUserBytes: 0, maxInstanceBytes: 0 }

/** A counter that does not tell what its rows add up to; `null` is that of the instance. */
export interface Miscount {
  counter: 'share' | 'user' | 'instance'
  id: string | null
  countedBytes: number
  actualBytes: number
}

/**
 * What users and the instance store: files, those included that an edit removed until they are
 * purged, and what unfinished uploads have reserved. The counters change in the statements that
 * change the rows, so that any moment's rows add up to them.
 */
export interface StorageUsage {
  ofInstance(): Promise<number>
  /** Users who never stored anything are left out. */
  ofUsers(userIds: readonly string[]): Promise<{ userId: string; usedBytes: number }[]>
  /** Compares every counter with its rows, all as of one moment. */
  findMiscounts(): Promise<Miscount[]>
  /** Puts right what `findMiscounts` finds; how many there were. */
  repair(): Promise<number>
}

export interface Quotas {
  /** Who is charged may store that much; a change counts within seconds. */
  limitsOf(chargedTo: string | null, share: { maxShareBytes: number }): Promise<Limits>
  statusOf(userId: string): Promise<StorageStatus>
}

export interface QuotasDependencies {
  auth: Pick<AuthPort, 'storageLimit'>
  admin: AdminPort
  usage: StorageUsage
  clock: () => Date
}

export function createQuotas({ auth, admin, usage, clock }: QuotasDependencies): Quotas {
  const accountLimits = rememberLimits({ ask: auth.storageLimit, clock })

  async function limitsOf(chargedTo: string | null, share: { maxShareBytes: number }) {
    const [settings, own] = await Promise.all([
      admin.settings({}),
      chargedTo === null ? { maxBytes: 0 } : accountLimits(chargedTo),
    ])
    return {
      ...share,
      maxUserBytes: own.maxBytes ?? settings['share.userStorageLimit'],
      maxInstanceBytes: settings['share.totalStorageLimit'],
    }
  }

  return {
    limitsOf,
    statusOf: async (userId) => {
      const [{ maxUserBytes, maxInstanceBytes }, [user], instanceBytes] = await Promise.all([
        limitsOf(userId, { maxShareBytes: 0 }),
        usage.ofUsers([userId]),
        usage.ofInstance(),
      ])
      const usedBytes = user?.usedBytes ?? 0
      const left = [
        ...(maxUserBytes > 0 ? [maxUserBytes - usedBytes] : []),
        ...(maxInstanceBytes > 0 ? [maxInstanceBytes - instanceBytes] : []),
      ]
      return {
        usedBytes,
        limitBytes: maxUserBytes > 0 ? maxUserBytes : null,
        leftBytes: left.length === 0 ? null : Math.max(0, Math.min(...left)),
      }
    },
  }
}

/**
 * Refuses what could not even fit alone before its body, which for a small file is read first. Fails
 * with share_too_large, quota_exceeded, instance_quota_exceeded.
 */
export function requireSpace(
  { maxShareBytes, maxUserBytes, maxInstanceBytes }: Limits,
  lengthBytes: number | null,
): void {
  const passes = (maxBytes: number) => maxBytes > 0 && (lengthBytes ?? 0) > maxBytes
  if (passes(maxShareBytes)) throw new AppError('share_too_large')
  if (passes(maxUserBytes)) throw new AppError('quota_exceeded')
  if (passes(maxInstanceBytes)) throw new AppError('instance_quota_exceeded')
}
