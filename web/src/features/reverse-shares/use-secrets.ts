import type { ReceiverSecret } from '@floe/encryption'
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

export interface Secrets {
  /** `null` until it is unlocked. */
  find(publicKey: string): ReceiverSecret | null
  keep(publicKey: string, secret: ReceiverSecret): void
}

const SECRETS = 'receiver-secrets'

/** Of this public key; `null` until it is unlocked. */
export function useSecret(publicKey: string | undefined): ReceiverSecret | null {
  const { data } = useQuery<ReceiverSecret>({
    queryKey: [SECRETS, publicKey],
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data ?? null
}

/** What was unlocked stays so until the page is loaded anew, and is written down nowhere. */
export function useSecrets(): Secrets {
  const queryClient = useQueryClient()
  return useMemo(
    () => ({
      find: (publicKey) => queryClient.getQueryData<ReceiverSecret>([SECRETS, publicKey]) ?? null,
      keep(publicKey, secret) {
        queryClient.setQueryDefaults([SECRETS], { gcTime: Number.POSITIVE_INFINITY })
        queryClient.setQueryData([SECRETS, publicKey], secret)
      },
    }),
    [queryClient],
  )
}
