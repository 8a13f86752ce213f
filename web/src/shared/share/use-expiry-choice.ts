import { sharingRules } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format/use-format.ts'
import { useSession } from '../session/session.ts'
import {
  defaultExpiry,
  type ExpiryChoice,
  expiryDate,
  latestExpiry,
  MOST_UNITS,
  toExpiration,
} from './expiry-choice.ts'

export interface ChosenExpiry {
  choice: ExpiryChoice
  error: string | null
  /** Only offered where a share may be without an end. */
  allowsNever: boolean
  /** For the wire. */
  expiration: string
  setChoice(choice: ExpiryChoice): void
}

/** An expiry that counts from now, held to the configured maximum. */
export function useExpiryChoice(first: ExpiryChoice | null = null): ChosenExpiry {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, user } = useSession()
  const { maxExpiration: maxHours, allowNeverExpires } = sharingRules(settings, user)
  const [choice, setChoice] = useState(
    () => first ?? defaultExpiry({ defaultHours: settings['share.defaultExpiration'], maxHours }),
  )

  function errorOf(): string | null {
    if (choice.never) return null
    const now = new Date()
    const date = expiryDate(choice, now)
    if (choice.amount === '') return t('validation.number')
    if (date === null) return t('validation.wholeNumber')
    if (choice.amount > MOST_UNITS) return t('errors.outOfRange')
    const latest = latestExpiry(maxHours, now)
    return date > latest ? t('validation.expirationTooLong', { max: format.date(latest) }) : null
  }

  return {
    choice,
    error: errorOf(),
    allowsNever: maxHours === 0 && allowNeverExpires,
    expiration: toExpiration(choice),
    setChoice,
  }
}
