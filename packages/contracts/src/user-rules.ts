import type { ConfigKey, Settings } from './config-catalogue.ts'
import type { UserView } from './identity.ts'
import { needsSecondFactor } from './second-factor.ts'
import { reasonOfRule, type RuleReason, sharingRuleNames, sharingRules } from './sharing-rules.ts'

/** The settings that decide what an account may and must do, in the order they are told. */
export const userRules = [
  'share.maxExpiration',
  'share.allowNeverExpires',
  'share.passwordRequired',
  'share.recipientsOnly',
  'share.maxSize',
  'share.userStorageLimit',
  'share.reverseShares',
  'general.requireEmailVerification',
  'general.secondFactor',
  'oauth.disablePassword',
  'general.sessionDuration',
  'general.longestSession',
] as const satisfies readonly ConfigKey[]
export type UserRule = (typeof userRules)[number]

export interface AppliedRule {
  /** In the unit of the setting. A second factor is needed, or is not. */
  value: Settings[UserRule]
  reason: RuleReason
}

type Ruled = Pick<UserView, 'isAdmin' | 'storageLimit' | 'shareSizeLimit' | 'sharingExceptions'>

/** What holds for an account, and why. */
export function applyRule(
  rule: UserRule,
  settings: Pick<Settings, UserRule | 'share.adminsMayExceedExpiration'>,
  user: Ruled,
): AppliedRule {
  const sharing = sharingRuleNames.find((name) => `share.${name}` === rule)
  if (sharing !== undefined) {
    const { [sharing]: value } = sharingRules(settings, user)
    return { value, reason: reasonOfRule(settings, user, sharing) }
  }
  if (rule === 'general.secondFactor') {
    return { value: needsSecondFactor(settings, user), reason: 'setting' }
  }
  const own = ownLimit(rule, user) ?? null
  if (own !== null) return { value: own, reason: 'exception' }
  return { value: settings[rule], reason: 'setting' }
}

function ownLimit(rule: UserRule, { storageLimit, shareSizeLimit }: Ruled) {
  if (rule === 'share.userStorageLimit') return storageLimit
  return rule === 'share.maxSize' ? shareSizeLimit : null
}
