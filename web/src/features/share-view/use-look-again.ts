import type { ShareView } from '@floe/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { queryKeys } from '../../shared/query-keys.ts'
import { expiryOf } from '../../shared/share-link.ts'

/** `setTimeout` has no longer ones. */
const MOST_WAIT_MS = 2 ** 31 - 1
/** The clocks of server and browser differ a little. */
const AFTER_EXPIRY_MS = 2_000

/**
 * Asks for a share again when it expires, and whenever somebody downloads of it: the browser says of
 * a download that failed neither to the page nor to its reader that there is nothing any more.
 */
export function useLookAgain(shareId: string, share: ShareView | undefined): void {
  const look = useLook(shareId)
  const endsAt = share && expiryOf(share.expiration)?.getTime()
  useEffect(() => {
    const leftMs = (endsAt ?? Number.POSITIVE_INFINITY) - Date.now() + AFTER_EXPIRY_MS
    if (leftMs < 0 || leftMs > MOST_WAIT_MS) return undefined
    const timer = setTimeout(look, leftMs)
    return () => clearTimeout(timer)
  }, [look, endsAt])
  useEffect(() => {
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('a[download]')) look()
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [look])
}

/** A file that cannot be shown may be gone, and its share with it. */
export function useLookOnce(shareId: string): void {
  const look = useLook(shareId)
  useEffect(look, [look])
}

function useLook(shareId: string): () => void {
  const queryClient = useQueryClient()
  return useCallback(
    () => void queryClient.invalidateQueries({ queryKey: queryKeys.share(shareId) }),
    [queryClient, shareId],
  )
}
