import { useEffect } from 'react'
import { dropReverseShareCookie, setReverseShareCookie } from './reverse-share-cookie.ts'

/** Keeps the cookie of a link for as long as its page shows and sends through it. */
export function useReverseShareCookie(token: string, isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return
    const set = () => setReverseShareCookie(document, token, window.location.protocol === 'https:')
    const drop = () => dropReverseShareCookie(document, token)
    set()
    // A page that is left for another site, or closed, is not unmounted; it may even come back.
    window.addEventListener('pagehide', drop)
    window.addEventListener('pageshow', set)
    return () => {
      window.removeEventListener('pagehide', drop)
      window.removeEventListener('pageshow', set)
      drop()
    }
  }, [token, isSending])
}
