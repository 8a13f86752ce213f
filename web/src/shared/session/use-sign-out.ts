import { z } from 'zod'
import { useHttp } from '../api/http-context.ts'
import { paths } from '../paths.ts'
import { rememberSignOut } from './signed-out.ts'

/** The body of the response where it leads on to a provider; most have none. */
const departureSchema = z.object({ redirectURI: z.url({ protocol: /^https?$/ }) })

/** Ends the session and loads the site anew, so that nothing of the account stays in memory. */
export function useSignOut(): () => Promise<void> {
  const http = useHttp()
  return async () => {
    const response = await http.requestRaw({ method: 'POST', path: '/api/auth/signOut' })
    const body = await response.text()
    http.forgetAccessToken()
    rememberSignOut()
    const departure = body === '' ? null : departureSchema.parse(JSON.parse(body))
    window.location.assign(departure?.redirectURI ?? paths.home)
  }
}
