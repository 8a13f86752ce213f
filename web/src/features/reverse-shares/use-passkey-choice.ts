import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchPasskeys } from '../../shared/passkeys/fetch-passkeys.ts'
import { NoPasskeyKeyError } from '../../shared/passkeys/passkey-key.ts'
import { hasPasskeysHere, isCancelled } from '../../shared/passkeys/passkeys-here.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'

export interface PasskeyChoice {
  isOn: boolean
  error: string | null
  choose(isOn: boolean): void
}

/** Whether a passkey opens what is sent, too. */
export function usePasskeyChoice({ isAsked }: { isAsked: boolean }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { settings } = useSession()
  const [isOn, setOn] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const passkeys = useQuery({
    queryKey: queryKeys.passkeys,
    queryFn: () => fetchPasskeys(http),
    enabled: isAsked && hasPasskeysHere(settings),
  })
  const isOffered = (passkeys.data?.length ?? 0) > 0
  const choice: PasskeyChoice = {
    isOn,
    error,
    choose(next) {
      setOn(next)
      setError(null)
    },
  }
  return {
    /** `null` to who has none, or not here. */
    choice: isOffered ? choice : null,
    /** Throws what is no failure of a passkey. */
    tell(failure: unknown): void {
      if (failure instanceof NoPasskeyKeyError) setError(t('reverseShares.sealed.noPasskeyKey'))
      else if (!isCancelled(failure)) throw failure
    },
  }
}
