import { encodeKey } from '@floe/encryption'

type Bytes = Uint8Array<ArrayBuffer>

/** What a passkey makes of a salt: 32 bytes that nothing else makes of it. */
export interface PasskeyKey {
  /** The credential ID of the passkey, as base64url. */
  credential: string
  key: Bytes
}

/** The authenticator makes nothing of salts, or the passkey is from before they were asked for. */
export class NoPasskeyKeyError extends Error {
  override readonly name = 'NoPasskeyKeyError'

  constructor() {
    super('the passkey makes no keys')
  }
}

/**
 * By a passkey for this site that somebody picks (WebAuthn Level 3, extension `prf`).
 *
 * @throws NoPasskeyKeyError
 * @throws What `isCancelled` knows.
 */
export function makePasskeyKey(salt: Bytes): Promise<PasskeyKey> {
  return ask([], { eval: { first: salt } })
}

/**
 * By one of these passkeys, which have a salt each.
 *
 * @throws As `makePasskeyKey`.
 */
export function findPasskeyKey(salts: ReadonlyMap<string, Bytes>): Promise<PasskeyKey> {
  const salted = [...salts].map(([credential, first]) => [credential, { first }] as const)
  return ask([...salts.keys()], { evalByCredential: Object.fromEntries(salted) })
}

async function ask(
  credentials: readonly string[],
  prf: AuthenticationExtensionsPRFInputs,
): Promise<PasskeyKey> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { id, clientExtensionResults } = await startAuthentication({
    optionsJSON: {
      // Nobody checks the signature.
      challenge: encodeKey(crypto.getRandomValues(new Uint8Array(32))),
      allowCredentials: credentials.map((credential) => ({ id: credential, type: 'public-key' })),
      userVerification: 'required',
      extensions: { prf },
    },
  })
  const made = clientExtensionResults.prf?.results?.first
  if (!(made instanceof ArrayBuffer)) throw new NoPasskeyKeyError()
  return { credential: id, key: new Uint8Array(made) }
}
