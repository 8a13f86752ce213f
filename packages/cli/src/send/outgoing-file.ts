import { type FileHandle, open, readFile } from 'node:fs/promises'
import { CliError } from '../failures.ts'
import type { BodySource } from '../http-client.ts'
import { crc32OfBeginning } from './crc32.ts'
import type { LocalFile } from './local-files.ts'

/** A file as it travels: as it is, or encrypted under a name and with a length of its own. */
export interface OutgoingFile extends LocalFile {
  /** All of it, for one that is small. */
  readWhole(): Promise<Buffer>
  /** Not more than so many bytes from an offset that the server told. */
  readPiece(offset: number, mostBytes: number): Promise<OutgoingPiece>
  /** Whether so many bytes, with this CRC-32 if it is known, are what the file begins with. */
  beginsLike(offset: number, crc32: number | null): Promise<boolean>
}

export interface OutgoingPiece {
  sizeBytes: number
  body: Buffer | BodySource
  /** The server keeps all of it or nothing. */
  isWholeOnly: boolean
  close(): Promise<void>
}

export function plainFile(file: LocalFile): OutgoingFile {
  const { path, sizeBytes } = file
  return {
    ...file,
    readWhole: () => readFile(path),
    async readPiece(offset, mostBytes) {
      const bytes = Math.min(sizeBytes - offset, mostBytes)
      const handle = await open(path)
      return {
        sizeBytes: bytes,
        body: readRange(handle, file, { offset, sizeBytes: bytes }),
        isWholeOnly: false,
        close: () => handle.close(),
      }
    },
    async beginsLike(offset, crc32) {
      if (offset > sizeBytes) return false
      return crc32 === null || (await crc32OfBeginning(path, offset, () => undefined)) === crc32
    },
  }
}

function readRange(
  handle: FileHandle,
  file: LocalFile,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): BodySource {
  let at = offset
  const end = offset + sizeBytes
  return {
    async read(buffer) {
      if (at === end) return 0
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at), at)
      // The request would wait for the rest for ever.
      if (bytesRead === 0) throw becameSmaller(file)
      at += bytesRead
      return bytesRead
    },
  }
}

export function becameSmaller({ path }: LocalFile): CliError {
  return new CliError(`${path} has become smaller.`)
}
