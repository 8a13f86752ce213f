import {
  beginFile,
  type ContentKey,
  createContentKey,
  createFileId,
  createShareKey,
  encodeKey,
  encryptManifest,
  linkWithKey,
  lockWithPassword,
  MANIFEST_NAME,
  type ManifestFile,
  parseKey,
  type PasswordLock,
  resumeFile,
  segmentBytesWithin,
  type ShareKey,
} from '@floe/encryption'
import { z } from 'zod'
import { CliError } from '../failures.ts'
import { type EncryptedFile, encryptedFile, encryptedPipe } from './encrypted-file.ts'
import type { LocalFile } from './local-files.ts'
import type { OutgoingFile } from './outgoing-file.ts'

/** All that it takes to go on with an encrypted share; the keys with it, so it stays on this machine. */
export const encryptionStateSchema = z.object({
  shareKey: z.string(),
  contentKey: z.string(),
  /** What the password made of the key; absent without one. */
  lock: z.object({ openingKey: z.string(), gate: z.string() }).optional(),
  /** In the order of the local files. */
  files: z.array(z.object({ id: z.string(), header: z.base64() })),
})
export type EncryptionState = z.output<typeof encryptionStateSchema>

export interface EncryptedShare {
  files: EncryptedFile[]
  state: EncryptionState
  linkOf: LinkOf
  gate: Gate
}

/** The link with the key of the share in it. */
export type LinkOf = (link: string) => string

/** What the server is told as the password; `undefined` without one. */
export type Gate = string | undefined

export async function beginEncryptedShare(
  files: readonly LocalFile[],
  { mostRequestBytes, password }: { mostRequestBytes: number; password: string | undefined },
): Promise<EncryptedShare> {
  const keys = await createKeys(password)
  const segmentBytes = segmentBytesWithin(mostRequestBytes)
  const begun = await Promise.all(
    files.map(async (file) => {
      const id = createFileId()
      return { file, id, encryption: await beginFile(keys.contentKey, id, { segmentBytes }) }
    }),
  )
  const states = begun.map(({ id, encryption: { header } }) => ({
    id,
    header: Buffer.from(header).toString('base64'),
  }))
  return {
    files: begun.map(({ file, ...rest }) => encryptedFile(file, rest)),
    state: { ...encodeKeys(keys), files: states },
    ...toldOf(keys),
  }
}

/** Whether what was begun is locked as it is to be; without a password it stays as it was begun. */
export async function isLockedWith(
  state: EncryptionState,
  password: string | undefined,
): Promise<boolean> {
  if (password === undefined) return true
  const { gate } = await lockWithPassword(readKeys(state).shareKey, password)
  return state.lock?.gate === gate
}

export async function resumeEncryptedShare(
  files: readonly LocalFile[],
  state: EncryptionState,
): Promise<EncryptedShare> {
  const keys = readKeys(state)
  if (files.length !== state.files.length) throw unreadable()
  const resumed = files.map(async (file, index) => {
    const { id, header } = state.files[index] ?? { id: '', header: '' }
    const encryption = await resumeFile(
      keys.contentKey,
      id,
      new Uint8Array(Buffer.from(header, 'base64')),
    )
    return encryptedFile(file, { id, encryption })
  })
  return {
    files: await Promise.all(resumed),
    state,
    ...toldOf(keys),
  }
}

/** What comes through a pipe cannot be gone on with, so nothing of it is noted. */
export async function beginEncryptedPipe(
  pipe: { name: string; source: AsyncIterable<Uint8Array> },
  password: string | undefined,
): Promise<{
  id: string
  source: AsyncIterable<Uint8Array>
  manifest(): Promise<OutgoingFile>
  linkOf: LinkOf
  gate: Gate
}> {
  const keys = await createKeys(password)
  const id = createFileId()
  const { source, describe } = encryptedPipe(pipe, {
    id,
    encryption: await beginFile(keys.contentKey, id),
  })
  return {
    id,
    source,
    manifest: () => manifestOf(keys, [describe()]),
    ...toldOf(keys),
  }
}

/** The last file of the share, which names all others. */
export async function manifestFile(
  { state }: EncryptedShare,
  described: ManifestFile[],
): Promise<OutgoingFile> {
  return manifestOf(readKeys(state), described)
}

async function manifestOf(
  { shareKey, contentKey, lock }: Keys,
  files: ManifestFile[],
): Promise<OutgoingFile> {
  const sealed = await encryptManifest(lock?.openingKey ?? shareKey, { contentKey, files })
  return bytesAsFile(MANIFEST_NAME, Buffer.from(sealed))
}

interface Keys {
  shareKey: ShareKey
  contentKey: ContentKey
  lock: PasswordLock | undefined
}

async function createKeys(password: string | undefined): Promise<Keys> {
  const shareKey = createShareKey()
  const lock = password === undefined ? undefined : await lockWithPassword(shareKey, password)
  return { shareKey, contentKey: createContentKey(), lock }
}

function encodeKeys({ shareKey, contentKey, lock }: Keys): Omit<EncryptionState, 'files'> {
  return {
    shareKey: encodeKey(shareKey),
    contentKey: encodeKey(contentKey),
    ...(lock && { lock: { openingKey: encodeKey(lock.openingKey), gate: lock.gate } }),
  }
}

function readKeys({ lock, ...state }: EncryptionState): Keys {
  return {
    shareKey: readKey(state.shareKey),
    contentKey: readKey(state.contentKey),
    lock: lock && { openingKey: readKey(lock.openingKey), gate: lock.gate },
  }
}

function readKey(text: string): ShareKey {
  const key = parseKey(text)
  if (key === null) throw unreadable()
  return key
}

/** What others are told of the keys. */
function toldOf({ shareKey, lock }: Keys): { linkOf: LinkOf; gate: Gate } {
  const hasPassword = lock !== undefined
  return { linkOf: (link) => linkWithKey(link, shareKey, { hasPassword }), gate: lock?.gate }
}

function bytesAsFile(name: string, bytes: Buffer): OutgoingFile {
  return {
    path: name,
    name,
    sizeBytes: bytes.length,
    modifiedMs: 0,
    readWhole: async () => bytes,
    readPiece: async (offset, mostBytes) => {
      const body = bytes.subarray(offset, offset + mostBytes)
      return { sizeBytes: body.length, body, isWholeOnly: false, close: async () => undefined }
    },
    // Encrypted anew it has other bytes.
    beginsLike: async (offset) => offset === 0,
  }
}

function unreadable(): CliError {
  return new CliError('What was noted of this share cannot be read. Send the files again.')
}
