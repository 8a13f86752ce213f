import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type ArchivedPart, partInFolder, partOfChosen } from '@floe/archive'
import { type ArchivePart, MOST_CHOSEN_FILES } from '@floe/contracts'
import { AppError } from '@floe/errors'

interface Named {
  id: string
  name: string
}

/**
 * A selection is the places of the chosen files in the list of the share, which is always sorted the
 * same way, behind a digest of their ids: an address can carry thousands of files, and one that was
 * made for other files names none instead of wrong ones. It gives no access that its caller lacks.
 */
const DIGEST_BYTES = 9
/** Steps from file to file, each a varint of at most five bytes. */
const MOST_STEP_BYTES = MOST_CHOSEN_FILES * 5

/** Fails with `file_not_found` where one of the ids is none of these files. */
export function selectFiles(listed: readonly Named[], ids: readonly string[]): string {
  const wanted = new Set(ids.map((id) => id.toLowerCase()))
  const places = listed.flatMap(({ id }, place) => (wanted.has(id) ? place : []))
  if (places.length < wanted.size) throw new AppError('file_not_found')
  const chosen = places.flatMap((place) => listed[place] ?? [])
  return Buffer.concat([digestOf(chosen), deflateRawSync(writeSteps(places))]).toString('base64url')
}

/**
 * The files of a part, without the folders that all of them lie in; the innermost of these is what the
 * part is called. The whole keeps its folders.
 */
export function partOf<F extends Named>(
  listed: readonly F[],
  { folder, selection }: ArchivePart,
): ArchivedPart<F> {
  if (folder !== undefined) return partInFolder(listed, folder)
  if (selection === undefined) return { files: listed, folder: null }
  return partOfChosen(findSelected(listed, selection))
}

function findSelected<F extends Named>(listed: readonly F[], selection: string): F[] {
  const packed = Buffer.from(selection, 'base64url')
  const chosen = readSteps(packed.subarray(DIGEST_BYTES)).flatMap((place) => listed[place] ?? [])
  return digestOf(chosen).equals(packed.subarray(0, DIGEST_BYTES)) ? chosen : []
}

function digestOf(files: readonly Named[]): Buffer {
  const ids = files.map(({ id }) => id).join('\n')
  return createHash('sha256').update(ids).digest().subarray(0, DIGEST_BYTES)
}

/** LEB128: seven bits in a byte, the eighth where more follow. */
function writeSteps(places: readonly number[]): Buffer {
  const bytes: number[] = []
  for (const [index, place] of places.entries()) {
    let step = place - (places[index - 1] ?? -1)
    for (; step > 0x7f; step >>>= 7) bytes.push((step & 0x7f) | 0x80)
    bytes.push(step)
  }
  return Buffer.from(bytes)
}

/** None where somebody made them up. */
function readSteps(packed: Buffer): number[] {
  const places: number[] = []
  let place = -1
  let step = 0
  let scale = 1
  for (const byte of inflate(packed)) {
    step += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte > 0x7f) continue
    place += step
    places.push(place)
    step = 0
    scale = 1
  }
  return places
}

function inflate(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: MOST_STEP_BYTES })
  } catch {
    return Buffer.alloc(0)
  }
}
