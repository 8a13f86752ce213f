import { useState } from 'react'
import { type ChosenExpiry, useExpiryChoice } from './use-expiry-choice.ts'

export interface ExpiryChange extends Omit<ChosenExpiry, 'expiration'> {
  isChanging: boolean
  /** For the wire; `null` leaves the expiry as it is. */
  expiration: string | null
  setChanging(isChanging: boolean): void
}

/** A new expiry that counts from now, once the owner asks for one, or at once. */
export function useExpiryChange(isAsked = false): ExpiryChange {
  const expiry = useExpiryChoice()
  const [isChanging, setChanging] = useState(isAsked)
  return {
    ...expiry,
    isChanging,
    setChanging,
    error: isChanging ? expiry.error : null,
    expiration: isChanging ? expiry.expiration : null,
  }
}
