import type { AddPasskeyInput, PasskeyOptions, UsedPasskey } from '@floe/contracts'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { RelyingParty } from '../domain/relying-party.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A passkey as the authenticator knows it. */
export interface Credential {
  credentialId: Buffer
  /** COSE. */
  publicKey: Buffer
  transports: string[]
}

export interface NewCredential extends Credential {
  counter: number
  isSynced: boolean
}

/** What the browser is asked to make a passkey that signs in without a name typed. */
export async function askForCreation(
  site: RelyingParty,
  {
    challenge,
    user,
    known,
  }: {
    challenge: Bytes
    user: { handle: Bytes; name: string }
    known: readonly Credential[]
  },
): Promise<PasskeyOptions> {
  return {
    ...(await generateRegistrationOptions({
      rpID: site.id,
      rpName: site.name,
      challenge,
      userID: user.handle,
      userName: user.name,
      attestationType: 'none',
      excludeCredentials: known.map(describe),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      // So that it can open what is encrypted, too.
      extensions: { prf: {} },
    })),
  }
}

/** `null` unless it was made for this site and answers the challenge. */
export async function readCreated(
  site: RelyingParty,
  { passkey, challenge }: { passkey: AddPasskeyInput['passkey']; challenge: string },
): Promise<NewCredential | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: passkey as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      // Keys that cannot verify a person are a second factor all the same.
      requireUserVerification: false,
    })
    if (!verified) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      isSynced: credentialBackedUp,
    }
  } catch {
    // The library tells by its errors what is wrong with a response; to who sent it that is nothing.
    return null
  }
}

/** What the browser is asked to sign in by a passkey: any of the site, or one of these. */
export async function askForUse(
  site: RelyingParty,
  { challenge, known }: { challenge: Bytes; known: readonly Credential[] | null },
): Promise<PasskeyOptions> {
  return {
    ...(await generateAuthenticationOptions({
      rpID: site.id,
      challenge,
      // After a password the possession of the key is enough.
      userVerification: known === null ? 'required' : 'preferred',
      ...(known && { allowCredentials: known.map(describe) }),
    })),
  }
}

/** The counter of the authenticator; `null` unless the passkey signed the challenge for this site. */
export async function readUsed(
  site: RelyingParty,
  {
    passkey,
    challenge,
    credential,
    verifiesUser,
  }: { passkey: UsedPasskey; challenge: string; credential: Credential; verifiesUser: boolean },
): Promise<{ counter: number } | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: passkey as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: {
        id: credential.credentialId.toString('base64url'),
        publicKey: new Uint8Array(credential.publicKey),
        // Compared where it is stored, so that of two at once one is refused.
        counter: 0,
      },
      requireUserVerification: verifiesUser,
    })
    return verified ? { counter: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

function describe({ credentialId, transports }: Credential) {
  type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'
  return { id: credentialId.toString('base64url'), transports: transports as Transport[] }
}
