import { randomBytes } from 'node:crypto'
import { REFRESH_TOKEN_PATH } from '@floe/contracts'

export interface HttpResponse {
  status: number
  text: string
  body: Record<string, unknown>
  setCookies: string[]
  headers: Headers
  /** Where a redirect leads; it is not followed. */
  location: string | null
}

export interface Browser {
  cookies: Map<string, string>
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpResponse>
  /** Same cookies as now, from here on its own: a thief, or a second tab. */
  copy(): Browser
}

/** Keeps cookies as a browser does, those with a path for that path only. */
export function openBrowser(server: { url: string }, kept?: ReadonlyMap<string, string>): Browser {
  const cookies = new Map(kept)
  return {
    cookies,
    copy: () => openBrowser(server, cookies),
    async send(method, path, body, headers = {}) {
      const response = await fetch(server.url + path, {
        method,
        redirect: 'manual',
        headers: {
          cookie: cookieHeader(cookies, path),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const setCookies = response.headers.getSetCookie()
      for (const line of setCookies) keepCookie(cookies, line)
      const text = await response.text()
      const { status, headers: received } = response
      return {
        status,
        text,
        body: parseObject(text),
        setCookies,
        headers: received,
        location: received.get('location'),
      }
    },
  }
}

const cookiePaths: Record<string, string> = {
  refresh_token: REFRESH_TOKEN_PATH,
  device: '/api/auth',
}

function cookieHeader(cookies: ReadonlyMap<string, string>, path: string): string {
  return [...cookies]
    .filter(([name]) => path.startsWith(cookiePaths[name] ?? '/'))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}

function parseObject(text: string): Record<string, unknown> {
  return text.startsWith('{') ? JSON.parse(text) : {}
}

export interface Registration {
  username: string
  email: string
  password: string
}

export function makeRegistration(): Registration {
  const username = `user_${randomBytes(6).toString('hex')}`
  return { username, email: `${username}@example.org`, password: `secret ${username}` }
}

/** Signs a new user up; the browser then holds the session. */
export async function register(
  server: { url: string },
  registration = makeRegistration(),
): Promise<Registration & { browser: Browser; id: string }> {
  const browser = openBrowser(server)
  const { status, text, body } = await browser.send('POST', '/api/auth/signUp', registration)
  if (status !== 201) throw new Error(`sign-up failed: ${text}`)
  return { ...registration, browser, id: (body['user'] as { id: string }).id }
}

export async function signIn(server: { url: string }, user: Registration): Promise<Browser> {
  const browser = openBrowser(server)
  const { email, password } = user
  const { status, text } = await browser.send('POST', '/api/auth/signIn', { email, password })
  if (status !== 200) throw new Error(`sign-in failed: ${text}`)
  return browser
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.send('GET', '/api/users/me')).status === 200
}
