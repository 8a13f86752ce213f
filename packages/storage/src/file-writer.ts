import { crc32 as updateCrc32 } from 'node:zlib'
import { AppError } from '@floe/errors'
import {
  closeFile,
  convertFileError,
  syncFileData,
  totalLength,
  writeFully,
  type WriteVector,
} from './file-system.ts'
import { beginning, type ObjectWriter, type Position } from './object-store.ts'

export interface FileWriterOptions {
  fd: number
  start: Position
  /** Makes the file's directory entry durable. */
  syncEntry: () => Promise<void>
  writeVector: WriteVector
}

export function createFileWriter(options: FileWriterOptions): ObjectWriter {
  const { fd, start, syncEntry } = options
  let position = start
  let flushed = beginning
  // Bytes below the offset may come from a process that died before its sync.
  let isDataDurable = false
  let isEntryDurable = false
  let state: 'open' | 'failed' | 'closed' = 'open'

  async function attempt(operation: string, run: () => Promise<void>) {
    if (state !== 'open') throw new AppError('internal', { detail: `writer is ${state}` })
    try {
      await run()
    } catch (error) {
      // After a failed fdatasync the kernel may drop the pages, and a second call would report
      // success for bytes that are gone.
      state = 'failed'
      throw convertFileError(error, operation)
    }
  }

  async function flush() {
    if (!isDataDurable) await syncFileData(fd)
    isDataDurable = true
    // At any offset: the process that made the entry may have died before its own sync.
    if (!isEntryDurable) await syncEntry()
    isEntryDurable = true
    flushed = position
  }

  return {
    get position() {
      return position
    },
    batchBytes: Infinity,
    write: (chunks) =>
      attempt('write', async () => {
        if (totalLength(chunks) === 0) return
        isDataDurable = false
        const { offsetBytes } = position
        const writing = writeFully(options.writeVector, fd, chunks, offsetBytes)
        // While the system writes.
        const crc32 = chunks.reduce((state, chunk) => updateCrc32(chunk, state), position.crc32)
        position = { offsetBytes: offsetBytes + (await writing), crc32 }
      }),
    async keep() {
      // The system holds what it was given, even if the process dies.
      await attempt('keep', () => Promise.resolve())
      return flushed
    },
    async flush() {
      await attempt('flush', flush)
      return flushed
    },
    finish: () => attempt('finish', flush),
    async close() {
      if (state === 'closed') return
      state = 'closed'
      try {
        await closeFile(fd)
      } catch (error) {
        throw convertFileError(error, 'close')
      }
    },
  }
}
