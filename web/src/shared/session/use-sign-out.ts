import { useHttp } from '../api/http-context.ts'
import { paths } from '../paths.ts'
import { rememberSignOut } from './signed-out.ts'

/** Ends the session and loads the site anew, so that nothing of the account stays in memory. */
export function useSignOut(): () => Promise<void> {
  const http = useHttp()
  return async () => {
    await http.request({ method: 'POST', path: '/api/auth/signOut' })
    http.forgetAccessToken()
    rememberSignOut()
    window.location.assign(paths.home)
  }
}
