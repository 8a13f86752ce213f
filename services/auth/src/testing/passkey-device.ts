import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const encode = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

export interface DeviceOptions {
  /** Where its browser is. */
  origin: string
  /** It asks for a finger or a PIN. */
  verifiesUser?: boolean
  /** It counts how often it was used; others always say 0. */
  counts?: boolean
}

/** An authenticator with one passkey, made of what WebAuthn Level 3 §6 says of their bytes. */
export interface PasskeyDevice {
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }): object
  use(options: { challenge: string; rpId: string }): object
  /** The same key and counter, from now on by itself. */
  clone(): PasskeyDevice
}

interface Kept {
  credentialId: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
  counter: number
  userHandle: string
}

export function createPasskeyDevice(options: DeviceOptions, kept: Kept = newKeys()): PasskeyDevice {
  const { origin, verifiesUser = true, counts = true } = options
  const flags = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0)
  const common = () => ({
    id: encode(kept.credentialId),
    rawId: encode(kept.credentialId),
    type: 'public-key',
    clientExtensionResults: {},
  })
  const clientData = (type: string, challenge: string) =>
    JSON.stringify({ type, challenge, origin, crossOrigin: false })

  function authenticatorData(rpId: string, extra: number, rest = Buffer.alloc(0)): Buffer {
    if (counts) kept.counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(kept.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | extra]), counter, rest])
  }

  return {
    create({ challenge, rp, user }) {
      kept.userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(kept.credentialId.length)
      const credential = [Buffer.alloc(16), length, kept.credentialId, coseKey(kept.publicKey)]
      const data = authenticatorData(rp.id, HAS_CREDENTIAL, Buffer.concat(credential))
      return {
        ...common(),
        response: {
          clientDataJSON: encode(clientData('webauthn.create', challenge)),
          attestationObject: encode(attestation(data)),
          transports: ['internal'],
        },
      }
    },
    use({ challenge, rpId }) {
      const data = authenticatorData(rpId, 0)
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([data, sha256(client)])
      return {
        ...common(),
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(sign('sha256', signed, kept.privateKey)),
          userHandle: kept.userHandle,
        },
      }
    },
    clone: () => createPasskeyDevice(options, { ...kept }),
  }
}

function newKeys(): Kept {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...keys, credentialId: randomBytes(32), counter: 0, userHandle: '' }
}

/** ES256 as COSE has it (RFC 9053 §7.1.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** CBOR of `{ fmt: 'none', attStmt: {}, authData }`. */
function attestation(authData: Buffer): Buffer {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
  return Buffer.concat([
    ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), Buffer.from([0x58, authData.length]), authData],
  ])
}
