import { MOST_BATCH_FILE_BYTES } from './batches.ts'

/** What goes into one request unless something on the way allows less. */
export const MOST_REQUEST_BYTES = 4 * 1024 * 1024
/** For its line of the manifest, beside its name. */
const MANIFEST_BYTES_PER_FILE = 100
const MOST_FILES_AT_ONCE = 500

interface Batched {
  /** Folder and name. */
  name: string
  sizeBytes: number
}

/** Would a file of this size travel with others? */
export function fitsInBatch(sizeBytes: number): boolean {
  return sizeBytes <= MOST_BATCH_FILE_BYTES
}

/** What a file takes of a request, at most. */
export function requestBytes({ name, sizeBytes }: Batched): number {
  // A UTF-16 unit takes up to three bytes in UTF-8, six as an escape in JSON.
  return sizeBytes + 6 * name.length + MANIFEST_BYTES_PER_FILE
}

/** The first files that may travel in one request of so many bytes; at least one. */
export function takeForRequest<T>(
  files: readonly T[],
  describe: (file: T) => Batched,
  mostBytes = MOST_REQUEST_BYTES,
): T[] {
  let bytes = 0
  const end = files.findIndex((file, index) => {
    bytes += requestBytes(describe(file))
    return index > 0 && (bytes > mostBytes || index >= MOST_FILES_AT_ONCE)
  })
  return files.slice(0, end < 0 ? files.length : end)
}
