import { type ConsentDecision, consentForm } from './consent-page.ts'

const REDIRECT_LIMIT = 10

/**
 * Goes through a provider as a browser would, with the decision taken on its page: from the
 * address that the site redirects to, up to the address that the provider redirects back to.
 */
export async function passConsent(startUrl: string, decision: ConsentDecision): Promise<URL> {
  const { origin } = new URL(startUrl)
  const cookies = new Map<string, string>()
  let url = new URL(startUrl)
  let body: URLSearchParams | null = null
  for (let redirect = 0; redirect < REDIRECT_LIMIT; redirect += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === null ? {} : { method: 'POST', body }),
    })
    keepCookies(cookies, response)
    const location = response.headers.get('location')
    const text = await response.text()
    if (location !== null) {
      body = null
      url = new URL(location, url)
      if (url.origin !== origin) return url
    } else if (response.ok && text.includes('<form') && body === null) {
      body = consentForm(decision)
    } else {
      throw new Error(`The provider responded with ${response.status}: ${text}`)
    }
  }
  throw new Error('The provider redirects without end')
}

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';')
    const equals = pair.indexOf('=')
    const value = pair.slice(equals + 1)
    if (value === '') cookies.delete(pair.slice(0, equals))
    else cookies.set(pair.slice(0, equals), value)
  }
}
