import { type ContentKey, createFileId, encryptedBytes, type ManifestFile } from '@floe/encryption'
import { FileRefusal } from '../beginning-check.ts'
import { emptyPrefix, type Prefix } from '../prefix.ts'
import type { ReadPrefixOptions } from '../read-prefix.ts'
import type { FollowOptions, PieceRequest, PieceResponse } from './piece-request.ts'
import type { Digests, Sealed } from './sealer.ts'
import type { SealedPiece, SealedSource, Sealing } from './sealing.ts'

/** The last that is known to be there, and the one on its way. */
const MARKS = 2

/** Up to where a file was encrypted, and what of its text that is. */
interface Mark {
  /** In the ciphertext. */
  offset: number
  text: Prefix
}

/** What it takes to go on with the ciphertext of a file, and to name it in the manifest. */
export interface SealedState {
  /** What the server calls it. */
  id: string
  /** When the file was changed last, in milliseconds since 1970. */
  modified: number
  header: Uint8Array<ArrayBuffer> | null
  marks: readonly Mark[]
  digests: Digests | null
}

/** The ciphertext of a chosen file, which travels in its place. */
export interface SealedFile {
  /** What the server calls it. */
  readonly name: string
  readonly sizeBytes: number
  /** All of it, for one that is small. */
  whole(): Promise<Uint8Array<ArrayBuffer>>
  /** Of an upload that is begun: nothing of what was made before goes into it. */
  beginAnew(): void
  /**
   * @throws FileRefusal `unreadable`; `changed`, where what was sent cannot be gone on with.
   */
  piece(offset: number, mostBytes: number): Promise<Pick<SealedPiece, 'size' | 'checksum'>>
  /** Sends the piece that was asked for last; rejects where no response comes. */
  send(request: PieceRequest, options: FollowOptions): Promise<PieceResponse>
  /** What the text has to begin with, where the server has so many bytes; `null` is unknown. */
  textAt(offset: number): Prefix | null
  readPrefix(file: Blob, options: ReadPrefixOptions): Promise<Prefix>
  /** Reads what was not read yet. */
  describe(): Promise<ManifestFile>
  close(): void
}

interface Options {
  file: File
  /** With its folders. */
  name: string
  contentKey: ContentKey
  segmentBytes: number
  /** Of an earlier visit. */
  known?: SealedState | undefined
  sealing: Sealing
  onState: (state: SealedState) => void
}

const nothingSealed = { header: null, marks: [], digests: null }

export function toSealedFile(options: Options): SealedFile {
  const { file, name, contentKey, segmentBytes, known, sealing, onState } = options
  const sizeBytes = encryptedBytes(file.size, segmentBytes)
  const { lastModified: modified } = file
  let state: SealedState = known ?? { ...nothingSealed, id: createFileId(), modified }
  let source: SealedSource | null = null

  function change(changes: Partial<SealedState>) {
    state = { ...state, ...changes }
    onState(state)
  }

  const order = () => ({
    ...{ file, contentKey, segmentBytes },
    id: state.id,
    header: state.header,
  })
  const begun = () => (source ??= sealing.begin(order()))

  function note({ header, text, digests }: Sealed, end: number) {
    const others = state.marks.filter(({ offset }) => offset !== end)
    change({ header, digests, marks: [...others, { offset: end, text }].slice(-MARKS) })
  }

  function fail(): never {
    // Another attempt begins with another source: what ails this one may be its thread.
    close()
    throw new FileRefusal('unreadable')
  }

  function close() {
    source?.end()
    source = null
  }

  return {
    name: state.id,
    sizeBytes,
    async whole() {
      const { body, ...block } = await begun().whole().catch(fail)
      note(block, body.length)
      close()
      return body
    },
    beginAnew() {
      if (state.header === null) return
      close()
      change(nothingSealed)
    },
    async piece(offset, mostBytes) {
      const { size, checksum, end, ...block } = await begun().piece(offset, mostBytes).catch(fail)
      note(block, end)
      return { size, checksum }
    },
    send: (request, options) =>
      source?.send(request, options) ?? Promise.reject(new Error('No piece was asked for')),
    textAt: (offset) =>
      offset === 0
        ? emptyPrefix
        : (state.marks.find((mark) => mark.offset === offset)?.text ?? null),
    async readPrefix(_, { toBytes, signal, onRead }) {
      // What was read for its digests may reach further.
      close()
      for (let prefix = emptyPrefix; ;) {
        signal?.throwIfAborted()
        prefix = await begun().readOn(toBytes)
        onRead?.(prefix)
        if (prefix.bytes >= toBytes) return prefix
      }
    },
    async describe() {
      const { id, digests } = state
      const found = digests ?? (await begun().finish().catch(fail))
      return { ...{ id, name, size: file.size, modified }, ...found }
    },
    close,
  }
}
