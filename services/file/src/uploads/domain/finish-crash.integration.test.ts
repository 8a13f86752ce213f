import { createHash, randomUUID } from 'node:crypto'
import { AppError } from '@floe/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  createUpload,
  type FileWorld,
  inspectOffset,
  makeBytes,
  ownerHeaders,
  type Replica,
  sha256,
  storedFiles,
} from '../../testing/file-world.ts'
import type { TestShare } from '../../testing/test-ports.ts'

const CHUNK_BYTES = 9_000_000

// An object that stands cannot be written again in every store.
describe.each(['files', 'minio'] as const)('objects in %s', (objectsIn) => {
  let world: FileWorld
  let replica: Replica
  /** Fails when the object is whole and the file is not yet made of it. */
  let dying: Replica
  let share: TestShare

  beforeAll(async () => {
    world = await createFileWorld({ objectsIn })
    world.ports.settings['share.chunkSize'] = CHUNK_BYTES
    replica = await world.startReplica()
    dying = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        openWriter: async (key, options) => {
          const writer = await objects.openWriter(key, options)
          const finish = writer.finish.bind(writer)
          writer.finish = async () => {
            await finish()
            throw new AppError('internal', { detail: 'the process dies' })
          }
          return writer
        },
      }),
    })
  })
  afterAll(() => world.close())
  beforeEach(() => {
    share = world.ports.addShare()
  })

  test.each([1, 2])('the last of %i chunks is taken again', async (totalChunks) => {
    const body = makeBytes((totalChunks - 1) * CHUNK_BYTES + 3_000_000)
    const id = randomUUID()
    const send = (to: Replica, index: number) => {
      const query = `name=a.bin&id=${id}&chunkIndex=${index}&totalChunks=${totalChunks}`
      return to.send('POST', `/api/shares/${share.id}/files?${query}`, {
        headers: { ...ownerHeaders(share), 'Content-Type': 'application/octet-stream' },
        body: body.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
      })
    }
    const last = totalChunks - 1
    for (let index = 0; index < last; index += 1) {
      expect((await send(replica, index)).status).toBe(201)
    }
    expect((await send(dying, last)).status).toBe(500)
    expect((await send(replica, last)).status).toBe(201)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
    expect(await world.findMiscounts()).toEqual([])
  })

  test('a body with a checksum counts as taken', async () => {
    const body = makeBytes(3_000_000)
    const path = await createUpload(replica, share, { 'Upload-Length': String(body.length) })
    const digest = createHash('sha256').update(body).digest('base64')
    const headers = append(0, { 'Upload-Checksum': `sha256 ${digest}` })
    expect((await dying.send('PATCH', path, { headers, body })).status).toBe(500)
    expect(await inspectOffset(replica, path)).toBe(body.length)
    expect(await storedFiles(world, share)).toMatchObject([{ sha256: sha256(body) }])
  })
})
