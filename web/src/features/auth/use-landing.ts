import type { UserView } from '@floe/contracts'
import { useNavigate, useSearchParams } from 'react-router'
import { paths, safeRedirect } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/session.ts'

/** Where signing in leads, and the way there. */
export function useLanding(): { landing: string; enter: (user: UserView) => void } {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { signedIn } = useSession()
  const landing = safeRedirect(search.get('redirect')) ?? paths.upload
  return {
    landing,
    enter(user) {
      signedIn(user, landing)
      void navigate(landing, { replace: true })
    },
  }
}
