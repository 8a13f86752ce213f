import jsQR from 'jsqr'
import { generateSync } from 'otplib'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import type { Visitor } from './journey.ts'
import type { Person } from './people.ts'

const STEP_SECONDS = 30

/** An app as people have it on their phones. */
export interface Authenticator {
  readonly secret: string
  /**
   * Another code each time, as each counts once. The server takes the next step's ahead of time:
   * two codes can be had without any waiting.
   */
  nextCode(): string
  /** Not accepted now nor in the minutes to come. */
  wrongCode(): string
}

/** Set up with what a QR code says: `otpauth://totp/…?secret=…`. */
export function openAuthenticator(keyUri: string): Authenticator {
  const secret = new URL(keyUri).searchParams.get('secret') ?? ''
  let last = 0
  const stepOfNow = () => Math.floor(Date.now() / 1000 / STEP_SECONDS)
  const codeOf = (step: number) => generateSync({ secret, epoch: step * STEP_SECONDS })
  return {
    secret,
    nextCode() {
      last = Math.max(stepOfNow(), last + 1)
      return codeOf(last)
    },
    wrongCode() {
      const near = Array.from({ length: 20 }, (_, index) => codeOf(stepOfNow() + index - 2))
      return ['135790', '246801', '357912'].find((code) => !near.includes(code)) ?? '468023'
    },
  }
}

/** Reads a QR code off the screen, as the camera of a phone would. */
export async function scan(code: Locator): Promise<string> {
  await code.evaluate((image: { decode(): Promise<void> }) => image.decode())
  const picture = PNG.sync.read(await code.screenshot({ animations: 'disabled' }))
  const pixels = new Uint8ClampedArray(picture.data)
  const found = jsQR.default(pixels, picture.width, picture.height)
  if (!found) throw new Error('no QR code can be made out on the screen')
  return found.data
}

/** Types the digits of a code into their boxes; the last one submits. */
export async function typeCode(scope: Page | Locator, code: string): Promise<void> {
  await scope.getByLabel('Digit 1 of 6').pressSequentially(code)
}

/** Turns the second factor on for the person this browser is signed in as, without the pages. */
export async function enrol(
  { context }: Visitor,
  { password }: Person,
): Promise<{ authenticator: Authenticator; recoveryCodes: string[] }> {
  const send = async (step: string, data: object): Promise<unknown> => {
    const response = await context.request.post(`/api/auth/totp/${step}`, { data })
    if (!response.ok())
      throw new Error(`${step} responded ${response.status()}: ${await response.text()}`)
    return response.json()
  }
  const { totpAuthUrl } = (await send('enable', { password })) as { totpAuthUrl: string }
  const authenticator = openAuthenticator(totpAuthUrl)
  await send('verify', { password, code: authenticator.nextCode() })
  const { recoveryCodes } = (await send('recoveryCodes', { password })) as {
    recoveryCodes: string[]
  }
  return { authenticator, recoveryCodes }
}
