import { AppError } from '@floe/errors'
import type { ObjectKey } from '@floe/storage'
import type { PartMemory } from './part-memory.ts'
import { leastPartBytes } from './part-plan.ts'
import type { SentPart } from './multipart-calls.ts'
import type { S3Calls } from './s3-calls.ts'
import { openS3Reader } from './s3-reader.ts'

/** A finished object that becomes a part of another. */
export interface Source {
  key: ObjectKey
  sizeBytes: number
}

/** S3 takes a part that is not the last from this size on. */
const leastCopyBytes = 5 * 1024 * 1024
/** S3 copies at most 5 GiB at once; smaller steps end sooner when something fails. */
const mostCopyBytes = 1024 * 1024 * 1024

/**
 * Joins objects within S3: what is large enough for a part the server copies by itself, the rest
 * passes through this process. The caller ends the upload where this fails.
 */
export async function sendSources(
  { calls, memory }: { calls: S3Calls; memory: PartMemory },
  { key, uploadId }: { key: ObjectKey; uploadId: string },
  sources: readonly Source[],
): Promise<SentPart[]> {
  const parts: SentPart[] = []
  const buffer = await memory.take()
  let filled = 0

  async function flush(): Promise<void> {
    if (filled === 0) return
    const part = { key, uploadId, number: parts.length + 1 }
    parts.push(await calls.sendPart(part, buffer.subarray(0, filled)))
    filled = 0
  }

  try {
    for (const source of sources) {
      let at = 0
      while (at < source.sizeBytes) {
        const isJoinable = filled === 0 || filled >= leastCopyBytes
        const rest = source.sizeBytes - at
        if (isJoinable && rest >= leastCopyBytes) {
          await flush()
          const end = at + copyBytes(rest)
          const number = parts.length + 1
          const copied = { key: source.key, start: at, end }
          parts.push(await calls.copyPart({ key, uploadId, number, source: copied }))
          at = end
          continue
        }
        const wanted = isJoinable ? leastPartBytes : leastCopyBytes
        const count = Math.min(rest, wanted - filled, buffer.length - filled)
        if (count <= 0) {
          await flush()
          continue
        }
        await readFully(calls, source.key, at, buffer.subarray(filled, filled + count))
        filled += count
        at += count
      }
    }
    await flush()
    return parts
  } finally {
    memory.give(buffer)
  }
}

/** Never leaves a rest that would be too small for a part of its own. */
function copyBytes(rest: number): number {
  return rest <= mostCopyBytes ? rest : Math.min(mostCopyBytes, rest - leastCopyBytes)
}

async function readFully(
  calls: S3Calls,
  key: ObjectKey,
  start: number,
  target: Uint8Array,
): Promise<void> {
  const reader = await openS3Reader(calls, key, { start, end: start + target.byteLength })
  try {
    const count = await reader.read(target, start)
    if (count < target.byteLength) {
      throw new AppError('internal', { detail: 'a source is shorter than it was' })
    }
  } finally {
    await reader.close()
  }
}
