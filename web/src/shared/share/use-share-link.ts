import { useSession } from '../session/session.ts'
import { shareLink } from '../share-link.ts'

/** The address of a share that people pass on, as this page knows the site. */
export function useShareLink(shareId: string): string {
  const { settings } = useSession()
  return shareLink({
    shareId,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
}
