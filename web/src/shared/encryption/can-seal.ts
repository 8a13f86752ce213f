import { useQuery } from '@tanstack/react-query'

/** Whether this browser encrypts for public keys: by X25519, which Chromium has since 133. */
async function canSeal(): Promise<boolean> {
  if (!window.isSecureContext) return false
  const made = crypto.subtle.generateKey('X25519', false, ['deriveBits'])
  return made.then(
    () => true,
    () => false,
  )
}

/** `null` for the moment until that is known. */
export function useCanSeal(): boolean | null {
  const { data = null } = useQuery({
    queryKey: ['can-seal'],
    queryFn: canSeal,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return data
}
