import type { Settings } from './config-catalogue.ts'

/** Who needs a second factor, from nobody to everybody. */
export const secondFactorRules = ['optional', 'administrators', 'everybody'] as const

/** Whether an account without a second factor may do nothing but set one up. */
export function needsSecondFactor(
  { 'general.secondFactor': rule }: Pick<Settings, 'general.secondFactor'>,
  { isAdmin }: { isAdmin: boolean },
): boolean {
  return rule === 'everybody' || (rule === 'administrators' && isAdmin)
}
