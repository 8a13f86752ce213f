import { type Announcement, MOST_ANNOUNCED_FILES } from '@floe/contracts'
import type { SessionSnapshot } from './session-snapshot.ts'

/** A request of the API holds 100 kB, its terms included. */
const MOST_BYTES = 80_000
/** What the API takes for a name. */
const MOST_NAME_CHARACTERS = 1024

const encoder = new TextEncoder()

/** What visitors of an open share are told of its upload: all of it in numbers, the next by name. */
export function announcementOf({
  fileCount,
  sizeBytes,
  rows,
}: Pick<SessionSnapshot, 'fileCount' | 'sizeBytes' | 'rows'>): Announcement {
  const files: Announcement['files'] = []
  let bytes = 0
  for (const { label, sizeBytes: size, state } of rows) {
    if (state === 'done' || label.length > MOST_NAME_CHARACTERS) continue
    const file = { name: label, size }
    bytes += encoder.encode(JSON.stringify(file)).length + 1
    if (bytes > MOST_BYTES || files.length === MOST_ANNOUNCED_FILES) break
    files.push(file)
  }
  return { fileCount, size: sizeBytes, files }
}
