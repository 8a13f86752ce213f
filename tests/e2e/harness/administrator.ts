import { configCatalogue } from '@floe/contracts'
import type { Person } from './people.ts'

/** The first account of every Floe that journeys share. */
export const administrator: Person = {
  username: 'admin',
  email: 'admin@example.org',
  password: 'a long enough password',
}

/** Makes the first account, which runs the place, and ends the welcome that home shows it. */
export async function appointAdministrator(floeUrl: string): Promise<void> {
  const cookie = await enter(floeUrl, 'signUp')
  await send(`${floeUrl}/api/configs/admin/finishSetup`, { method: 'POST', cookie, body: {} })
}

/** Undoes what the journey before has set. */
export async function restoreDefaults(floeUrl: string): Promise<void> {
  const cookie = await enter(floeUrl, 'signIn')
  const body = Object.keys(configCatalogue).map((key) => ({ key, value: '' }))
  await send(`${floeUrl}/api/configs/admin`, { method: 'PATCH', cookie, body })
}

async function enter(floeUrl: string, way: 'signUp' | 'signIn'): Promise<string> {
  const response = await send(`${floeUrl}/api/auth/${way}`, { method: 'POST', body: administrator })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

async function send(
  url: string,
  { method, body, cookie = '' }: { method: string; body: unknown; cookie?: string },
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}
