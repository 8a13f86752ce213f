import { randomUUID } from 'node:crypto'
import { mkdtempSync, truncateSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import {
  type ArchiveEntry,
  type ArchivePlan,
  createArchiveSource,
  planArchive,
} from '@floe/archive'
import { combineCrc32, createDiskStore, newObjectKey } from '@floe/storage'
import { expect } from 'vitest'

/** Where the archives of this process lie, beside the objects they are made of. */
export const base = mkdtempSync(path.join(tmpdir(), 'floe-archive-'))
const objects = path.join(base, 'objects')
const store = createDiskStore({ directory: objects })

/** Keys of objects that hold nothing but zeros. */
const zeros = new Set<string>()

export const removeArchives = () => rm(base, { recursive: true, force: true })

export const pythonCheck = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(len(archive.infolist()))
`

export const pythonRead = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    sys.stdout.write(archive.read(sys.argv[2]).decode())
`

export async function putEntry(label: string, bytes: Buffer): Promise<ArchiveEntry<string>> {
  const objectKey = newObjectKey()
  await store.putSmall(objectKey, [bytes])
  return entryOf(label, objectKey, bytes.length, crc32(bytes))
}

/** The same entry with a deflated segment of what it holds. */
export async function withSegment(
  entry: ArchiveEntry<string>,
  deflated: Buffer,
): Promise<ArchiveEntry<string>> {
  const objectKey = newObjectKey()
  await store.putSmall(objectKey, [deflated])
  const segment = { objectKey, sizeBytes: deflated.length, readyAt: new Date('2026-11-21') }
  return { ...entry, segment }
}

export async function putDeflated(
  label: string,
  bytes: Buffer,
  level: number,
): Promise<ArchiveEntry<string>> {
  return withSegment(await putEntry(label, bytes), deflateRawSync(bytes, { level }))
}

/** Deflated zeros of any length, from one block that refers to the zeros before it. */
export function deflateZeros(sizeBytes: number): Buffer {
  const blockBytes = 1 << 20
  const dictionary = Buffer.alloc(1 << 15)
  const finishFlush = constants.Z_SYNC_FLUSH
  const first = deflateRawSync(Buffer.alloc(blockBytes), { finishFlush })
  const next = deflateRawSync(Buffer.alloc(blockBytes), { finishFlush, dictionary })
  const last = deflateRawSync(Buffer.alloc(sizeBytes % blockBytes), { dictionary })
  const count = Math.floor(sizeBytes / blockBytes) - 1
  return Buffer.concat([first, ...Array<Buffer>(count).fill(next), last])
}

function entryOf(
  label: string,
  objectKey: string,
  sizeBytes: number,
  crc: number,
): ArchiveEntry<string> {
  const modifiedAt = new Date('2026-11-20T12:34:56Z')
  return { objectKey, path: label, sizeBytes, crc32: crc, modifiedAt }
}

/** An object of zeros that takes no space on disk. */
export async function putZeros(label: string, sizeBytes: number): Promise<ArchiveEntry<string>> {
  const objectKey = newObjectKey()
  await store.create(objectKey)
  zeros.add(objectKey)
  truncateSync(path.join(objects, objectKey.slice(0, 2), objectKey), sizeBytes)
  let crc = 0
  let blockCrc = crc32(Buffer.alloc(1))
  for (let bit = 1; bit <= sizeBytes; bit *= 2) {
    if (Math.floor(sizeBytes / bit) % 2 === 1) crc = combineCrc32(crc, blockCrc, bit)
    blockCrc = combineCrc32(blockCrc, blockCrc, bit)
  }
  return entryOf(label, objectKey, sizeBytes, crc)
}

/** Leaves holes in the middle of long runs of zeros. */
export async function writeArchive(entries: readonly ArchiveEntry<string>[]): Promise<string> {
  const plan = planArchive(entries)
  const source = createArchiveSource(plan, { openObject: (key) => store.openReader(key) })
  const file = path.join(base, `${randomUUID()}.zip`)
  const target = await open(file, 'w')
  const buffer = Buffer.alloc(1024 * 1024)
  let position = 0
  while (position < plan.sizeBytes) {
    const count = await source.read(buffer, position)
    await target.write(buffer, 0, count, position)
    position += count
    const end = endOfZeros(plan, position)
    if (end - position > 2 * buffer.length) position = end - buffer.length
  }
  await target.close()
  await source.close()
  expect(position).toBe(plan.sizeBytes)
  return file
}

/** End of the object of zeros that `position` lies in; 0 if it lies in none. */
function endOfZeros({ layout }: ArchivePlan<string>, position: number): number {
  const index = layout.objectKeys.findIndex((key, entry) => {
    const end = layout.localStarts[entry + 1] ?? 0
    return zeros.has(key) && position < end && position >= end - (layout.objectSizes[entry] ?? 0)
  })
  return index === -1 ? 0 : (layout.localStarts[index + 1] ?? 0)
}
