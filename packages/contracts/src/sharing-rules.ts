import { z } from 'zod'
import { LONGEST_PERIOD_HOURS, type Settings } from './config-catalogue.ts'

/** What holds for one account in place of the setting of the same name; absent: the setting does. */
export const sharingExceptionsSchema = z.object({
  /** Hours; 0 is no limit. */
  maxExpiration: z.int().min(0).max(LONGEST_PERIOD_HOURS).optional(),
  allowNeverExpires: z.boolean().optional(),
  passwordRequired: z.boolean().optional(),
  recipientsOnly: z.boolean().optional(),
})
export type SharingExceptions = z.infer<typeof sharingExceptionsSchema>

/** What every share of somebody has to keep to. */
export interface SharingRules {
  /** Hours that a share may last at most; 0 is no limit. */
  maxExpiration: number
  /** A share may be without an end. Where `maxExpiration` is a limit, none is. */
  allowNeverExpires: boolean
  /** Visitors are asked for a password. */
  passwordRequired: boolean
  /** A share opens for its recipients alone, and has some. */
  recipientsOnly: boolean
}

export const sharingRuleNames = [
  'maxExpiration',
  'allowNeverExpires',
  'passwordRequired',
  'recipientsOnly',
] as const satisfies readonly (keyof SharingRules)[]

export type SharingSettings = Pick<
  Settings,
  `share.${keyof SharingRules}` | 'share.adminsMayExceedExpiration'
>

/** As much of an account, or of who calls with it, as decides about the rules. */
export interface RuledPerson {
  isAdmin?: boolean | undefined
  sharingExceptions?: SharingExceptions | undefined
  tokenCaps?: { maxExpirationHours: number | null } | null | undefined
}

/** Why a rule is what it is: what an account has of its own counts before all else. */
export type RuleReason = 'exception' | 'administrator' | 'setting'

/** Whether the setting does not bind an administrator. */
const isExempt = (
  settings: SharingSettings,
  person: RuledPerson | null,
  rule: keyof SharingRules,
) =>
  rule === 'maxExpiration' &&
  person?.isAdmin === true &&
  settings['share.adminsMayExceedExpiration']

export function reasonOfRule(
  settings: SharingSettings,
  person: RuledPerson | null,
  rule: keyof SharingRules,
): RuleReason {
  if (person?.sharingExceptions?.[rule] !== undefined) return 'exception'
  return isExempt(settings, person, rule) ? 'administrator' : 'setting'
}

/** What holds for this person, and for anybody without an account where it is `null`. */
export function sharingRules(settings: SharingSettings, person: RuledPerson | null): SharingRules {
  const own = person?.sharingExceptions ?? {}
  const ofAll = isExempt(settings, person, 'maxExpiration') ? 0 : settings['share.maxExpiration']
  const allowed = own.maxExpiration ?? ofAll
  const capped = person?.tokenCaps?.maxExpirationHours ?? 0
  const both = allowed > 0 && capped > 0
  return {
    maxExpiration: both ? Math.min(allowed, capped) : Math.max(allowed, capped),
    allowNeverExpires: own.allowNeverExpires ?? settings['share.allowNeverExpires'],
    passwordRequired: own.passwordRequired ?? settings['share.passwordRequired'],
    recipientsOnly: own.recipientsOnly ?? settings['share.recipientsOnly'],
  }
}

/** Whether not everybody with its link may open a share of theirs. */
export function closesShares({ passwordRequired, recipientsOnly }: SharingRules): boolean {
  return passwordRequired || recipientsOnly
}
