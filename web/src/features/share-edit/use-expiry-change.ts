import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useSession } from '../../shared/session/session.ts'
import {
  defaultExpiry,
  type ExpiryChoice,
  expiryDate,
  latestExpiry,
  toExpiration,
} from '../../shared/share/expiry-choice.ts'

export interface ExpiryChange {
  isChanging: boolean
  choice: ExpiryChoice
  error: string | null
  allowsNever: boolean
  /** For the wire; `null` leaves the expiry as it is. */
  expiration: string | null
  setChanging(isChanging: boolean): void
  setChoice(choice: ExpiryChoice): void
}

/** A new expiry that counts from now, once the owner asks for one. */
export function useExpiryChange(): ExpiryChange {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const maxHours = settings['share.maxExpiration']
  const [isChanging, setChanging] = useState(false)
  const [choice, setChoice] = useState(() =>
    defaultExpiry({ defaultHours: settings['share.defaultExpiration'], maxHours }),
  )
  const now = new Date()
  const date = expiryDate(choice, now)
  const latest = latestExpiry(maxHours, now)

  function errorOf(): string | null {
    if (!isChanging || choice.never) return null
    if (date === null) return t('validation.wholeNumber')
    if (latest !== null && date > latest) {
      return t('validation.expirationTooLong', { max: format.date(latest) })
    }
    return null
  }

  return {
    isChanging,
    choice,
    error: errorOf(),
    allowsNever: maxHours === 0,
    expiration: isChanging ? toExpiration(choice) : null,
    setChanging,
    setChoice,
  }
}
