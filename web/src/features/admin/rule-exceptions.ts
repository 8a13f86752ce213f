import type { SharingExceptions } from '@floe/contracts'

const HOURS_A_DAY = 24

/** As exceptions are chosen: a text of a list, and days; empty leaves it to the setting. */
export interface ExceptionValues {
  maxExpirationDays: number | ''
  allowNeverExpires: Choice
  passwordRequired: Choice
  recipientsOnly: Choice
}

/** `''` leaves it to the setting. */
export type Choice = '' | 'yes' | 'no'

export const choosableRules = [
  'allowNeverExpires',
  'passwordRequired',
  'recipientsOnly',
] as const satisfies readonly (keyof SharingExceptions)[]

export function toExceptionValues(exceptions: SharingExceptions): ExceptionValues {
  const { maxExpiration, ...rest } = exceptions
  const choice = (value: boolean | undefined): Choice => {
    if (value === undefined) return ''
    return value ? 'yes' : 'no'
  }
  return {
    maxExpirationDays: maxExpiration === undefined ? '' : maxExpiration / HOURS_A_DAY,
    allowNeverExpires: choice(rest.allowNeverExpires),
    passwordRequired: choice(rest.passwordRequired),
    recipientsOnly: choice(rest.recipientsOnly),
  }
}

export function toExceptions({
  maxExpirationDays,
  ...choices
}: ExceptionValues): SharingExceptions {
  return {
    ...(maxExpirationDays !== '' && {
      maxExpiration: Math.round(maxExpirationDays * HOURS_A_DAY),
    }),
    ...Object.fromEntries(
      choosableRules
        .filter((rule) => choices[rule] !== '')
        .map((rule) => [rule, choices[rule] === 'yes']),
    ),
  }
}
