import { useState } from 'react'
import { readPreferences, writePreferences } from '../../shared/session/preferences.ts'
import { useSession } from '../../shared/session/session.ts'

export interface EncryptionChoice {
  isOn: boolean
  /** Nothing else is taken here. */
  isRequired: boolean
  choose: (isOn: boolean) => void
}

/** Whether what is chosen next is encrypted, as this browser remembers it; `null` where it cannot be. */
export function useEncryption(): EncryptionChoice | null {
  const { settings } = useSession()
  const [chosen, setChosen] = useState(() => readPreferences(window.localStorage).encrypts)
  const mode = settings['share.encryption']
  if (mode === 'off' || !window.isSecureContext) return null
  const isRequired = mode === 'required'
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
