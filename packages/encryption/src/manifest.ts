import { decryptStream, encryptStream, startDecryption, startEncryption } from '@floe/aead'
import { fileNameSchema, sha256Schema } from '@floe/contracts'
import { z } from 'zod'
import {
  associatedWith,
  type ContentKey,
  deriveKey,
  encodeKey,
  parseKey,
  type ShareKey,
} from './share-key.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What the server knows it by; ids of files are longer. */
export const MANIFEST_NAME = 'manifest'
/** Of a hundred thousand files with long names. Readers hold all of it in memory. */
export const MOST_MANIFEST_BYTES = 64 * 1024 * 1024

const PURPOSE = 'manifest'

const manifestFileSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  /** With the folders it is in, as in `photos/2026/a.jpg`. */
  name: fileNameSchema,
  /** Of the plain bytes, as the digests are. */
  size: z.int().min(0),
  /** When it was changed last, in milliseconds since 1970; absent where nobody knows. */
  modified: z.int().optional(),
  crc32: z.string().regex(/^[0-9a-f]{8}$/),
  sha256: sha256Schema,
})
export type ManifestFile = z.output<typeof manifestFileSchema>

const filesSchema = z
  .array(manifestFileSchema)
  .refine((files) => areDistinct(files, 'id'), 'an id stands for one file')
  .refine((files) => areDistinct(files, 'name'), 'a name stands for one file')

const contentKeySchema = z.string().transform((text, { addIssue }): ContentKey => {
  const key = parseKey(text)
  if (key === null) addIssue('no key')
  return key ?? new Uint8Array(0)
})

const manifestSchema = z.object({ contentKey: contentKeySchema, files: filesSchema })
/** All that the server is not to know of the files of a share. */
export type Manifest = z.output<typeof manifestSchema>

function areDistinct(files: readonly ManifestFile[], key: 'id' | 'name'): boolean {
  return new Set(files.map((file) => file[key])).size === files.length
}

export async function encryptManifest(shareKey: ShareKey, manifest: Manifest): Promise<Uint8Array> {
  const key = await deriveKey(shareKey, PURPOSE)
  const contentKey = encodeKey(manifest.contentKey)
  const text = JSON.stringify({ contentKey, files: filesSchema.parse(manifest.files) })
  const encryption = await startEncryption(key, associatedWith(PURPOSE))
  return readWhole(new Blob([text]).stream().pipeThrough(encryptStream(encryption)))
}

/**
 * @throws FloeError Where it is damaged, or of another share.
 * @throws ZodError Where its sender wrote something else into it.
 */
export async function decryptManifest(
  shareKey: ShareKey,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<Manifest> {
  const key = await deriveKey(shareKey, PURPOSE)
  const associated = associatedWith(PURPOSE)
  const text = await readWhole(
    new Blob([sealed])
      .stream()
      .pipeThrough(decryptStream((header) => startDecryption(key, associated, header))),
  )
  return manifestSchema.parse(JSON.parse(new TextDecoder().decode(text)))
}

/** Not by way of a `Response`: Chromium tells of each failure of its stream that the network failed. */
async function readWhole(stream: ReadableStream<Bytes>): Promise<Bytes> {
  const reader = stream.getReader()
  const pieces: Bytes[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer())
    pieces.push(value)
  }
}
