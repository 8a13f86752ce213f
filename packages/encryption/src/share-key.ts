import { type FloeKey, importFloeKey } from '@floe/aead'
import { fromBase64Url, toBase64Url } from './base64url.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * 32 random bytes that links carry. They open the manifest, where no password has to be part of its
 * key, and no server ever sees them.
 */
export type ShareKey = Bytes
/**
 * 32 random bytes, from which the keys of all files are derived. The manifest has them, so that what
 * opens a share can be decided when its files have left.
 */
export type ContentKey = Bytes

export const KEY_BYTES = 32
/** Of this form of encrypted shares; part of every derived key and of what every file is bound to. */
const FORM = 'floe-share/1'

export function createShareKey(): ShareKey {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES))
}

export function createContentKey(): ContentKey {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES))
}

/** 43 characters of base64url. */
export function encodeKey(key: Bytes): string {
  return toBase64Url(key)
}

/** `null` where the text is no key. */
export function parseKey(text: string): Bytes | null {
  return fromBase64Url(text, KEY_BYTES)
}

/** A key of FLOE for one purpose. */
export async function deriveKey(from: Bytes, purpose: string): Promise<FloeKey> {
  return importFloeKey(await deriveBytes(from, purpose, KEY_BYTES))
}

/** HKDF-SHA-256 (RFC 5869) without salt: what it derives from is uniformly random already. */
export async function deriveBytes(from: Bytes, purpose: string, count: number): Promise<Bytes> {
  const secret = await crypto.subtle.importKey('raw', from, 'HKDF', false, ['deriveBits'])
  const info = utf8(`${FORM} ${purpose}`)
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, secret, count * 8))
}

/** What a ciphertext is bound to beside its key: where it belongs, never the link, which may change. */
export function associatedWith(purpose: string): Bytes {
  return utf8(`${FORM} ${purpose}`)
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}
