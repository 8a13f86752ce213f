import { crc32 } from 'node:zlib'
import { createRandom, type Random, s3Programs } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  append,
  createFileWorld,
  createUpload,
  type FileWorld,
  makeBytes,
  type Replica,
  sha256,
  storedFiles,
  tus,
} from '../../testing/file-world.ts'
import { sendHalf } from '../../testing/http-client.ts'

/**
 * Whatever its connections do (whole, cut, silent, many at once, on either process, with a
 * checksum or without), an upload continued from the offset HEAD tells ends as its source.
 */
describe.each(['files', ...s3Programs] as const)('objects in %s', (objectsIn) => {
  let world: FileWorld
  let replicas: Replica[]

  beforeAll(async () => {
    world = await createFileWorld({ objectsIn })
    replicas = [await world.startReplica(), await world.startReplica()]
  })
  afterAll(() => world.close())

  test.each([11, 22, 33, 44, 55, 66])('seed %i: no split or abort changes a byte', async (seed) => {
    const random = createRandom(seed)
    const share = world.ports.addShare()
    const source = makeBytes(random.between(1, 12_000_000))
    const any = () => random.pick(replicas)
    const isDeferred = random.chance(0.3)
    const path = await createUpload(
      any(),
      share,
      isDeferred ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': String(source.length) },
    )
    let acknowledged = 0
    for (let round = 0; round < 400; round += 1) {
      const head = await any().send('HEAD', path, { headers: tus })
      if (head.status === 423) continue
      expect(head.status).toBe(200)
      const offset = Number(head.headers['upload-offset'])
      expect(offset).toBeGreaterThanOrEqual(acknowledged)
      acknowledged = offset
      const isDeclared = head.headers['upload-length'] !== undefined
      if (offset === source.length && isDeclared) break
      const bytes = random.between(0, Math.min(source.length - offset, 3_000_000))
      const body = source.subarray(offset, offset + bytes)
      const headers = append(offset, {
        ...(isDeferred && !isDeclared && random.chance(0.5) && lengthOf(source)),
        ...(random.chance(0.25) && checksumOf(body)),
      })
      const responses = await Promise.all(
        Array.from({ length: random.chance(0.2) ? 3 : 1 }, () =>
          sendSomehow(random, any(), path, { headers, body }),
        ),
      )
      for (const response of responses) {
        if (response?.status === 204) {
          acknowledged = Math.max(acknowledged, Number(response.headers['upload-offset']))
        }
      }
    }
    expect(await storedFiles(world, share)).toMatchObject([
      { sizeBytes: source.length, sha256: sha256(source), crc32: crc32(source) },
    ])
    expect(await world.findMiscounts()).toEqual([])
  })
})

async function sendSomehow(
  random: Random,
  replica: Replica,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
) {
  if (random.chance(0.6)) {
    const pieces = random.chance(0.3) ? split(random, body) : body
    return replica.send('PATCH', path, { headers, body: pieces })
  }
  const half = await sendHalf(replica.port, 'PATCH', path, {
    headers: { ...headers, 'Content-Length': String(body.length + 1) },
    body: body.subarray(0, random.between(0, body.length)),
  })
  if (random.chance(0.7)) half.socket.destroy()
  return null
}

function split(random: Random, body: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let start = 0; start < body.length;) {
    const end = Math.min(body.length, start + random.between(1, 400_000))
    pieces.push(body.subarray(start, end))
    start = end
  }
  return pieces
}

function lengthOf(source: Buffer) {
  return { 'Upload-Length': String(source.length) }
}

function checksumOf(body: Buffer) {
  const digest = Buffer.alloc(4)
  digest.writeUInt32BE(crc32(body))
  return { 'Upload-Checksum': `crc32 ${digest.toString('base64')}` }
}
