import { generateSync } from 'otplib'
import type { AuthServer } from './auth-server.ts'
import type { Browser } from './browser.ts'

export interface Authenticator {
  /** The code of now, or of some steps later or earlier. */
  code(steps?: number): string
  /** A code that was not used yet: the server's clock is put forward to the next step. */
  nextCode(): string
  /** The one that was had last, whatever the time is by now. */
  lastCode(): string
}

const STEP_SECONDS = 30

/** An app as people have it on their phones; its clock is the server's. */
export function openAuthenticator(server: AuthServer, secret: string): Authenticator {
  let last = ''
  function code(steps = 0): string {
    const epoch = Math.floor(server.now().getTime() / 1000) + steps * STEP_SECONDS
    last = generateSync({ secret, epoch })
    return last
  }
  return {
    code,
    nextCode() {
      server.passSeconds(STEP_SECONDS)
      return code()
    },
    lastCode: () => last,
  }
}

/** Sets TOTP up for the account the browser is signed in to. */
export async function setUpTotp(
  server: AuthServer,
  { browser, password }: { browser: Browser; password: string },
): Promise<Authenticator> {
  const begun = await browser.send('POST', '/api/auth/totp/enable', { password })
  const authenticator = openAuthenticator(server, String(begun.body['totpSecret']))
  const body = { password, code: authenticator.code() }
  const { status, text } = await browser.send('POST', '/api/auth/totp/verify', body)
  if (status !== 201) throw new Error(`TOTP was not set up: ${text}`)
  return authenticator
}
