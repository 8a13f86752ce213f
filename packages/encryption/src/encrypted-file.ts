import {
  type FloeDecryption,
  type FloeEncryption,
  type FloeOptions,
  resumeEncryption,
  startDecryption,
  startEncryption,
} from '@floe/aead'
import { toBase64Url } from './base64url.ts'
import { associatedWith, deriveKey, type ShareKey } from './share-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

const ID_BYTES = 16

/** What the server knows a file by, instead of its name: 22 random characters of base64url. */
export function createFileId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)))
}

export async function beginFile(
  shareKey: ShareKey,
  id: string,
  options?: Pick<FloeOptions, 'segmentBytes'>,
): Promise<FloeEncryption> {
  return startEncryption(await fileKey(shareKey, id), fileAssociated(id), options)
}

/**
 * Goes on with the file that this header begins.
 *
 * @throws FloeError `parameters` or `key`, where it is not of this file.
 */
export async function resumeFile(
  shareKey: ShareKey,
  id: string,
  header: Bytes,
): Promise<FloeEncryption> {
  return resumeEncryption(await fileKey(shareKey, id), fileAssociated(id), header)
}

/** @throws FloeError `parameters` or `key`, where the header is not of this file. */
export async function openFile(
  shareKey: ShareKey,
  id: string,
  header: Bytes,
): Promise<FloeDecryption> {
  return startDecryption(await fileKey(shareKey, id), fileAssociated(id), header)
}

function fileKey(shareKey: ShareKey, id: string) {
  return deriveKey(shareKey, `file ${id}`)
}

function fileAssociated(id: string): Bytes {
  return associatedWith(`file ${id}`)
}
