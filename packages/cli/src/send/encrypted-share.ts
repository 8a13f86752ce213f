import {
  beginFile,
  type ContentKey,
  createContentKey,
  createFileId,
  createShareKey,
  encodeKey,
  encryptManifest,
  linkWithKey,
  MANIFEST_NAME,
  type ManifestFile,
  parseKey,
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
  /** In the order of the local files. */
  files: z.array(z.object({ id: z.string(), header: z.base64() })),
})
export type EncryptionState = z.output<typeof encryptionStateSchema>

export interface EncryptedShare {
  files: EncryptedFile[]
  state: EncryptionState
  linkOf: LinkOf
}

/** The link with the key of the share in it. */
export type LinkOf = (link: string) => string

export async function beginEncryptedShare(
  files: readonly LocalFile[],
  mostRequestBytes: number,
): Promise<EncryptedShare> {
  const keys = createKeys()
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
    linkOf: (link) => linkWithKey(link, keys.shareKey),
  }
}

export async function resumeEncryptedShare(
  files: readonly LocalFile[],
  state: EncryptionState,
): Promise<EncryptedShare> {
  const { shareKey, contentKey } = readKeys(state)
  if (files.length !== state.files.length) throw unreadable()
  const resumed = files.map(async (file, index) => {
    const { id, header } = state.files[index] ?? { id: '', header: '' }
    const encryption = await resumeFile(
      contentKey,
      id,
      new Uint8Array(Buffer.from(header, 'base64')),
    )
    return encryptedFile(file, { id, encryption })
  })
  return {
    files: await Promise.all(resumed),
    state,
    linkOf: (link) => linkWithKey(link, shareKey),
  }
}

/** What comes through a pipe cannot be gone on with, so nothing of it is noted. */
export async function beginEncryptedPipe(pipe: {
  name: string
  source: AsyncIterable<Uint8Array>
}): Promise<{
  id: string
  source: AsyncIterable<Uint8Array>
  manifest(): Promise<OutgoingFile>
  linkOf: LinkOf
}> {
  const keys = createKeys()
  const id = createFileId()
  const { source, describe } = encryptedPipe(pipe, {
    id,
    encryption: await beginFile(keys.contentKey, id),
  })
  return {
    id,
    source,
    manifest: () => manifestOf(keys, [describe()]),
    linkOf: (link) => linkWithKey(link, keys.shareKey),
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
  { shareKey, contentKey }: Keys,
  files: ManifestFile[],
): Promise<OutgoingFile> {
  const sealed = await encryptManifest(shareKey, { contentKey, files })
  return bytesAsFile(MANIFEST_NAME, Buffer.from(sealed))
}

interface Keys {
  shareKey: ShareKey
  contentKey: ContentKey
}

function createKeys(): Keys {
  return { shareKey: createShareKey(), contentKey: createContentKey() }
}

function encodeKeys({ shareKey, contentKey }: Keys) {
  return { shareKey: encodeKey(shareKey), contentKey: encodeKey(contentKey) }
}

function readKeys(state: EncryptionState): Keys {
  const [shareKey, contentKey] = [parseKey(state.shareKey), parseKey(state.contentKey)]
  if (shareKey === null || contentKey === null) throw unreadable()
  return { shareKey, contentKey }
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
