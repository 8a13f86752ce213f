import { FloeError } from '@floe/aead'
import {
  EncryptedShareError,
  type OpenedFile,
  openEncryptedShare,
  type ReadStored,
  type ShareKey,
} from '@floe/encryption'
import { CliError, exitCodes, NetworkError } from '../failures.ts'
import { bytesOf } from '../http-client.ts'
import { createPatience, persist } from '../send/patience.ts'
import { fetchBytes, filePath } from './fetch-bytes.ts'
import type { RemoteFile } from './remote-file.ts'
import type { Visit } from './visit.ts'

/** What opens the manifest. */
export interface OpeningKey {
  key: ShareKey
  /** A password is part of it. */
  isLocked: boolean
}

/** The files of an encrypted share as its manifest names them. Throws a `CliError` where it is not whole. */
export async function listEncrypted(
  visit: Visit,
  { key, isLocked }: OpeningKey,
): Promise<RemoteFile[]> {
  const { share } = visit
  const read = readStored(visit, '?download=false')
  const open = () => openEncryptedShare({ shareKey: key, stored: share.files, read })
  const files = await persist(
    () => open().catch((error) => refuse(error, isLocked)),
    createPatience(visit),
  )
  const download = readStored(visit, '')
  return files.map((file) => {
    const source = filePath(share.id, file.storedId)
    return encryptedRemote(file, { source, download })
  })
}

/** The list of the files is read to find them: that is no download of theirs. */
function readStored(visit: Visit, query: '' | '?download=false'): ReadStored {
  return async function* (fileId, range) {
    yield* bytesOf(await fetchBytes(visit, filePath(visit.share.id, fileId) + query, range))
  }
}

function refuse(error: unknown, isLocked: boolean): never {
  if (!(error instanceof EncryptedShareError)) throw error
  switch (error.fault) {
    case 'connection':
      throw new NetworkError('The connection was lost')
    case 'key':
      throw new CliError(
        isLocked
          ? 'Invalid password, or the link is not that of this share.'
          : 'The key in the link is not that of this share.',
        exitCodes.refused,
      )
    case 'no_manifest':
      throw damaged('has no list of its files', error)
    case 'long_manifest':
      throw damaged('has too long a list of files', error)
    case 'damaged_manifest':
      throw damaged('has a list of files that cannot be read', error)
    case 'lacks_file':
      throw damaged(`lacks ${error.fileName}`, error)
  }
}

function encryptedRemote(
  { name, size, sha256, read }: OpenedFile,
  { source, download }: { source: string; download: ReadStored },
): RemoteFile {
  return {
    ...{ name, sizeBytes: size, sha256, source },
    async *read(range) {
      try {
        for await (const text of read(range, download)) {
          yield Buffer.from(text.buffer, text.byteOffset, text.byteLength)
        }
      } catch (error) {
        if (error instanceof FloeError) throw damaged(`has damaged bytes in ${name}`, error)
        throw error
      }
    },
  }
}

function damaged(what: string, cause: unknown): CliError {
  const error = new CliError(`The share ${what}.`)
  error.cause = cause
  return error
}
