import { AppError } from '@floe/errors'
import {
  closeFile,
  convertFileError,
  syncFileData,
  totalLength,
  writeFully,
  type WriteVector,
} from './file-system.ts'
import type { ObjectWriter } from './object-store.ts'

export interface FileWriterOptions {
  fd: number
  offsetBytes: number
  /** Makes the file's directory entry durable. */
  syncEntry: () => Promise<void>
  writeVector: WriteVector
}

export function createFileWriter(options: FileWriterOptions): ObjectWriter {
  const { fd, syncEntry } = options
  let position = options.offsetBytes
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

  async function syncData() {
    if (isDataDurable) return
    await syncFileData(fd)
    isDataDurable = true
  }

  async function syncEntryOnce() {
    if (isEntryDurable) return
    await syncEntry()
    isEntryDurable = true
  }

  return {
    write: (chunks) =>
      attempt('write', async () => {
        if (totalLength(chunks) === 0) return
        isDataDurable = false
        position += await writeFully(options.writeVector, fd, chunks, position)
      }),
    async keep() {
      // The system holds what it was given, even if the process dies.
      await attempt('keep', () => Promise.resolve())
      return false
    },
    sync: () =>
      attempt('sync', async () => {
        await syncData()
        // At any offset: the process that made the entry may have died before its own sync.
        await syncEntryOnce()
      }),
    finish: () =>
      attempt('finish', async () => {
        await syncData()
        await syncEntryOnce()
      }),
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
