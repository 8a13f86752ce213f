import { BLOCK_BYTES } from './encrypted/pieces.ts'
import type { SealedFile } from './encrypted/sealed-file.ts'
import type { FileEntry } from './file-entry.ts'

/** The part of tus-js-client's `FileSource` that both kinds of files have. */
interface Source {
  size: number
  slice(start: number, end: number): Promise<{ value: Blob | SentPiece; done: boolean }>
  close(): void
}

/** A piece that is sent from where it was made. */
export interface SentPiece {
  size: number
}

/** How tus-js-client gets the bytes of a file. */
export interface TusReader {
  openFile(file: Blob): Promise<Source>
  /** Of the piece that was read last, as `Upload-Checksum` has it. */
  checksum(): string | null
  /** No piece is longer. */
  mostBytes: number
}

export function readerOf({ sealed }: FileEntry): TusReader {
  return sealed ? readSealed(sealed) : wholeFiles
}

/**
 * A whole file is sent as it is: to cut a piece off, the browser asks another process and waits,
 * longer than it takes to begin sending a small file.
 */
const wholeFiles: TusReader = {
  mostBytes: Infinity,
  checksum: () => null,
  async openFile(file) {
    const { size } = file
    return {
      size,
      async slice(start, end) {
        const isWhole = start === 0 && end >= size
        return { value: isWhole ? file : file.slice(start, end), done: end >= size }
      },
      close() {},
    }
  },
}

/** A piece may be shorter than asked for: it ends with a segment. */
function readSealed(sealed: SealedFile): TusReader {
  let checksum: string | null = null
  return {
    mostBytes: BLOCK_BYTES,
    checksum: () => checksum,
    openFile: async () => ({
      size: sealed.sizeBytes,
      async slice(start, end) {
        const piece = await sealed.piece(start, end - start)
        checksum = piece.checksum
        return { value: piece, done: start + piece.size >= sealed.sizeBytes }
      },
      close() {},
    }),
  }
}
