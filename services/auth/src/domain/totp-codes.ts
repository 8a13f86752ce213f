import { createGuardrails, generateSecret, generateURI, verifySync } from 'otplib'

const SECRET_SIZE_BYTES = 20
const STEP_SECONDS = 30
const DIGITS = 6
const ALGORITHM = 'sha1'
/** Authenticators of accounts that came from elsewhere have secrets of 80 bits. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 })

export function createTotpSecret(): string {
  return generateSecret({ length: SECRET_SIZE_BYTES })
}

/** The address that sets up an authenticator app, in the Key URI format. */
export function totpAuthUrl({
  issuer,
  label,
  secret,
}: {
  issuer: string
  label: string
  secret: string
}): string {
  // A colon ends the issuer there, whatever it was meant for.
  const name = issuer.replaceAll(':', ' ').replace(/\s+/g, ' ').trim()
  const options = { algorithm: ALGORITHM, digits: DIGITS, period: STEP_SECONDS } as const
  return generateURI({ issuer: name, label: label.replaceAll(':', ''), secret, ...options })
}

export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/**
 * The time step whose code this is, or `null`. A step early or late is accepted (RFC 6238 §5.2),
 * one that is not after `lastTimeStep` never: each code counts once.
 */
export function matchTotpCode(
  code: string,
  { secret, now, lastTimeStep }: { secret: string; now: Date; lastTimeStep: number | null },
): number | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const latest = Math.floor(epoch / STEP_SECONDS) + 1
  // The library calls a later step than any acceptable one a mistake; here a clock was put back.
  if (!isTotpCode(code) || (lastTimeStep !== null && lastTimeStep >= latest)) return null
  const result = verifySync({
    secret,
    token: code,
    strategy: 'totp',
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_SECONDS,
    epoch,
    epochTolerance: STEP_SECONDS,
    guardrails,
    ...(lastTimeStep === null ? {} : { afterTimeStep: lastTimeStep }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
