import {
  type FloeDecryption,
  type FloeEncryption,
  type FloeOptions,
  resumeEncryption,
  startDecryption,
  startEncryption,
} from '@floe/aead'
import { toBase64Url } from './base64url.ts'
import { associatedWith, type ContentKey, deriveKey } from './share-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

const ID_BYTES = 16

/** What the server knows a file by, instead of its name: 22 random characters of base64url. */
export function createFileId(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)))
}

export async function beginFile(
  contentKey: ContentKey,
  id: string,
  options?: Pick<FloeOptions, 'segmentBytes'>,
): Promise<FloeEncryption> {
  return startEncryption(await fileKey(contentKey, id), fileAssociated(id), options)
}

/**
 * Goes on with the file that this header begins.
 *
 * @throws FloeError `parameters` or `key`, where it is not of this file.
 */
export async function resumeFile(
  contentKey: ContentKey,
  id: string,
  header: Bytes,
): Promise<FloeEncryption> {
  return resumeEncryption(await fileKey(contentKey, id), fileAssociated(id), header)
}

/** @throws FloeError `parameters` or `key`, where the header is not of this file. */
export async function openFile(
  contentKey: ContentKey,
  id: string,
  header: Bytes,
): Promise<FloeDecryption> {
  return startDecryption(await fileKey(contentKey, id), fileAssociated(id), header)
}

function fileKey(contentKey: ContentKey, id: string) {
  return deriveKey(contentKey, `file ${id}`)
}

function fileAssociated(id: string): Bytes {
  return associatedWith(`file ${id}`)
}
