import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AppError } from '@floe/errors'
import { expect } from 'vitest'
import {
  beginning,
  type NotedEnd,
  type ObjectKey,
  type ObjectStore,
  type Position,
} from '../object-store.ts'

export interface StoreUnderTest {
  store: ObjectStore
  /** The same storage as another process sees it, or this one after a restart. */
  reopen(): Promise<ObjectStore>
  /** An almost full storage that holds at most `capacityBytes`, where one can be had. */
  small?: { store: ObjectStore; capacityBytes: number }
  dispose(): Promise<void>
}

export async function writeObject(
  store: ObjectStore,
  key: ObjectKey,
  chunks: readonly Uint8Array[],
) {
  await store.create(key)
  const writer = await store.openWriter(key, { offsetBytes: 0 })
  await writer.write(chunks)
  await writer.finish()
  await writer.close()
}

export async function readObject(store: ObjectStore, key: ObjectKey): Promise<Buffer> {
  const reader = await store.openReader(key)
  const pieces: Buffer[] = []
  let position = 0
  for (;;) {
    const buffer = Buffer.alloc(64 * 1024)
    const count = await reader.read(buffer, position)
    if (count === 0) break
    pieces.push(buffer.subarray(0, count))
    position += count
  }
  await reader.close()
  return Buffer.concat(pieces)
}

/** All that the storage has may be taken. */
export const unknownEnd: NotedEnd = {
  noted: beginning,
  flushed: beginning,
  isSameBoot: true,
  takesMore: true,
  expectedBytes: null,
}

export function positionIn(bytes: Uint8Array, offsetBytes: number): Position {
  return { offsetBytes, crc32: crc32(bytes.subarray(0, offsetBytes)) }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function expectCode(running: Promise<unknown>, code: AppError['code']) {
  await expect(running).rejects.toMatchObject({ name: 'AppError', code })
}
