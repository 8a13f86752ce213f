import { useState } from 'react'
import { readPreferences, writePreferences } from '../../shared/session/preferences.ts'
import { useSession } from '../../shared/session/session.ts'

export interface EncryptionChoice {
  isOn: boolean
  /** Nothing else is taken here. */
  isRequired: boolean
  choose: (isOn: boolean) => void
}

/**
 * Whether what is chosen next is encrypted, as this browser remembers it; `null` where it cannot be,
 * and `unable` where it would have to be.
 */
export function useEncryption(): EncryptionChoice | 'unable' | null {
  const { settings } = useSession()
  const [chosen, setChosen] = useState(() => readPreferences(window.localStorage).encrypts)
  const mode = settings['share.encryption']
  const isRequired = mode === 'required'
  if (mode === 'off') return null
  if (!window.isSecureContext) return isRequired ? 'unable' : null
  return {
    isOn: isRequired || (chosen ?? mode === 'default'),
    isRequired,
    choose(next) {
      const { localStorage } = window
      writePreferences(localStorage, { ...readPreferences(localStorage), encrypts: next })
      setChosen(next)
    },
  }
}
