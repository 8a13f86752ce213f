import { PREFIX_CHECKSUM_HEADER, readPrefixChecksum } from '@floe/contracts'
import type { FileEntry } from './file-entry.ts'
import { emptyPrefix, type Prefix } from './prefix.ts'
import { readPrefix } from './read-prefix.ts'
import type { FailureReason } from './transfer.ts'

/** Why an upload cannot continue with this file. */
export class FileRefusal extends Error {
  readonly reason: Extract<FailureReason, 'changed' | 'unreadable'>

  constructor(reason: FileRefusal['reason']) {
    super(`The file is ${reason}`)
    this.name = 'FileRefusal'
    this.reason = reason
  }
}

/** What the server has of an upload; null where it does not tell. */
export function readStored(header: (name: string) => string | null | undefined): Prefix | null {
  const crc32 = readPrefixChecksum(header(PREFIX_CHECKSUM_HEADER))
  const bytes = Number(header('Upload-Offset') ?? NaN)
  return crc32 === null || !Number.isSafeInteger(bytes) ? null : { bytes, crc32 }
}

export type BeginningCheck = ReturnType<typeof createBeginningCheck>

/** Makes sure, once, that a file begins with what the server has of an upload begun earlier. */
export function createBeginningCheck({
  entry: { file, prefix: known = emptyPrefix },
  onCompared,
  read = readPrefix,
}: {
  entry: Pick<FileEntry, 'file' | 'prefix'>
  onCompared: (bytes: number) => void
  read?: typeof readPrefix
}) {
  let prefix: Prefix = known
  let isDone = false
  let reading = new AbortController()

  async function compare(stored: Prefix, signal: AbortSignal): Promise<void> {
    prefix = await read(file, {
      toBytes: stored.bytes,
      known: prefix,
      signal,
      onRead(far) {
        prefix = far
        onCompared(far.bytes)
      },
    }).catch(() => {
      throw new FileRefusal('unreadable')
    })
    if (prefix.crc32 !== stored.crc32) throw new FileRefusal('changed')
    isDone = true
  }

  return {
    /** Throws `FileRefusal`. Once it was stopped it never settles, since nothing may follow it. */
    async run(stored: Prefix | null): Promise<void> {
      if (isDone || stored === null) return
      reading = new AbortController()
      const { signal } = reading
      try {
        await compare(stored, signal)
      } catch (error) {
        if (signal.aborted) return new Promise(() => undefined)
        throw error
      }
    },
    stop: () => reading.abort(),
  }
}
