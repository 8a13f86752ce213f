import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { crc32 } from 'node:zlib'
import { type Database, openDatabase } from '@floe/db'
import { newObjectKey, type ObjectKey, type ObjectStore } from '@floe/storage'
import { describeObjectStore, unknownEnd } from '@floe/storage/conformance'
import {
  createTestDatabase,
  reserveS3Server,
  type S3Program,
  s3Programs,
  type S3Server,
} from '@floe/testing'
import { createTransferMemory } from '@floe/transfer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { s3Migrations } from './migrations.ts'
import { createS3Calls } from './s3-calls.ts'
import { createS3Store, type S3Store, type S3StoreOptions } from './s3-store.ts'

const mebibyte = 1024 * 1024

interface World {
  server: S3Server
  database: Database
  openStore(options?: Partial<S3StoreOptions>): S3Store
  /** Multipart uploads of this object that S3 knows. */
  uploadsOf(key: ObjectKey): Promise<string[]>
  beginParts(key: ObjectKey): Promise<string>
  dispose(): Promise<void>
}

async function createDatabase(): Promise<{ database: Database; drop(): Promise<void> }> {
  const testDatabase = await createTestDatabase([{ service: 's3', migrations: s3Migrations }])
  const database = openDatabase({ url: testDatabase.url })
  return {
    database,
    async drop() {
      await database.close()
      await testDatabase.drop()
    },
  }
}

async function createWorld(program: S3Program): Promise<World> {
  const server = await reserveS3Server(program)
  const { database, drop } = await createDatabase()
  await server.start()
  const opened: S3Store[] = []
  const { endpoint, accessKey, secretKey } = server
  const access = { endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'floe' }
  const calls = createS3Calls(access)
  return {
    server,
    database,
    openStore(options) {
      const store = createS3Store({ ...access, database, ...options })
      opened.push(store)
      return store
    },
    uploadsOf: (key) => calls.uploadsOf(key),
    beginParts: (key) => calls.beginParts(key, { withChecksums: true }),
    async dispose() {
      calls.close()
      for (const store of opened) store.close()
      await drop()
      await server.remove()
    },
  }
}

describe.each(s3Programs)('objects in %s', (program) => {
  describeObjectStore('S3 store', async () => {
    const world = await createWorld(program)
    const store = world.openStore()
    await store.prepare()
    return { store, reopen: async () => world.openStore(), dispose: () => world.dispose() }
  })

  describeObjectStore('S3 store with hardly any memory', async () => {
    const world = await createWorld(program)
    const open = () => world.openStore({ memory: createTransferMemory({ totalBytes: 0 }) })
    const store = open()
    await store.prepare()
    return { store, reopen: async () => open(), dispose: () => world.dispose() }
  })

  describe('large objects', () => {
    let world: World
    let store: S3Store

    beforeAll(async () => {
      world = await createWorld(program)
      store = world.openStore()
      await store.prepare()
    })
    afterAll(() => world.dispose())

    const bytes = randomBytes(21 * mebibyte + 12_345)

    async function write(
      at: ObjectStore,
      key: ObjectKey,
      from: number,
      to: number,
      step = mebibyte,
    ) {
      const writer = await at.openWriter(key, { offsetBytes: from })
      for (let position = from; position < to; position += step) {
        await writer.write([bytes.subarray(position, Math.min(to, position + step))])
      }
      return writer
    }

    test('travel in parts and come back as they were', async () => {
      const key = newObjectKey()
      await store.create(key, { expectedBytes: bytes.length })
      const writer = await write(store, key, 0, bytes.length)
      await writer.finish()
      await writer.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
      expect(await store.storedBytes(key)).toBe(bytes.length)
      await expectNothingKept(world, key)
    })

    test('take one call for each part and two more, however small the requests are', async () => {
      const asked: string[] = []
      const relay = await startRelay(world.server.endpoint, ({ method, url }) => {
        asked.push(`${method} ${url}`)
      })
      const { accessKey, secretKey } = world.server
      const access = { accessKey, secretKey, region: 'us-east-1', bucket: 'floe' }
      const counted = createS3Store({ ...access, endpoint: relay.url, database: world.database })
      const key = newObjectKey()
      await counted.create(key, { expectedBytes: bytes.length })
      const writer = await counted.openWriter(key, { offsetBytes: 0 })
      for (let position = 0; position < bytes.length; position += mebibyte) {
        await writer.write([bytes.subarray(position, position + mebibyte)])
        await writer.keep()
      }
      await writer.finish()
      await writer.close()
      expect(asked).toHaveLength(3 + 2)
      const small = newObjectKey()
      await counted.putSmall(small, [bytes.subarray(0, 1000)])
      expect(asked).toHaveLength(3 + 2 + 1)
      expect(await digestOf(store, key)).toBe(sha256(bytes))
      counted.close()
      await relay.close()
    })

    test('are read on when the server has ended a response that nobody read for a while', async () => {
      const key = newObjectKey()
      await store.putSmall(key, [bytes])
      const relay = await startRelay(world.server.endpoint, () => undefined)
      const { accessKey, secretKey } = world.server
      const access = { accessKey, secretKey, region: 'us-east-1', bucket: 'floe' }
      const cut = createS3Store({ ...access, endpoint: relay.url, database: world.database })
      const reader = await cut.openReader(key, { start: 0, end: bytes.length })
      const buffer = Buffer.alloc(mebibyte)
      const hash = createHash('sha256')
      for (let position = 0; position < bytes.length;) {
        const count = await reader.read(buffer, position)
        hash.update(buffer.subarray(0, count))
        position += count
        if (position === 4 * mebibyte) relay.cut()
      }
      await reader.close()
      expect(hash.digest('hex')).toBe(sha256(bytes))
      cut.close()
      await relay.close()
    })

    test('are continued by another replica at every sync, wherever it lies in a part', async () => {
      const key = newObjectKey()
      await store.create(key, { expectedBytes: bytes.length })
      const replicas = [store, world.openStore()]
      const ends = [
        1,
        3 * mebibyte + 7,
        8 * mebibyte,
        8 * mebibyte + 1,
        20 * mebibyte,
        bytes.length,
      ]
      let from = 0
      for (const [index, end] of ends.entries()) {
        const writer = await write(replicas[index % 2] ?? store, key, from, end, 777_777)
        await writer.flush({ maxLagBytes: 0 })
        await writer.close()
        expect(await store.storedBytes(key)).toBe(end)
        from = end
      }
      const last = await store.openWriter(key, { offsetBytes: bytes.length })
      await last.finish()
      await last.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('go on from the sync before the last, also after more parts were sent', async () => {
      const key = newObjectKey()
      await store.create(key, { expectedBytes: bytes.length })
      const first = await write(store, key, 0, 3 * mebibyte)
      await first.flush({ maxLagBytes: 0 })
      for (const end of [10, 17]) {
        await first.write([bytes.subarray((end === 10 ? 3 : 10) * mebibyte, end * mebibyte)])
        if (end === 10) await first.flush({ maxLagBytes: 0 })
      }
      await first.close()
      const second = await write(world.openStore(), key, 3 * mebibyte, bytes.length)
      await second.finish()
      await second.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('lose what was not synced when their process dies, and nothing else', async () => {
      const key = newObjectKey()
      await store.create(key)
      const first = await write(store, key, 0, 12 * mebibyte)
      await first.flush({ maxLagBytes: 0 })
      await first.write([bytes.subarray(12 * mebibyte, 15 * mebibyte)])
      await first.close()
      expect(await store.storedBytes(key)).toBe(12 * mebibyte)
      const second = await write(world.openStore(), key, 12 * mebibyte, bytes.length)
      await second.finish()
      await second.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('keep every part that has landed behind others, though nobody asked for a sync', async () => {
      const key = newObjectKey()
      await store.create(key, { expectedBytes: bytes.length })
      const first = await write(store, key, 0, 17 * mebibyte)
      const landed = () => store.recover(key, unknownEnd)
      const prefix = bytes.subarray(0, 16 * mebibyte)
      await expect.poll(landed, { timeout: 20_000 }).toEqual({
        offsetBytes: prefix.length,
        crc32: crc32(prefix),
      })
      await first.close()
      const second = await write(world.openStore(), key, prefix.length, bytes.length)
      await second.finish()
      await second.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('say how far they are safe, and wait for the rest where that is too little', async () => {
      const key = newObjectKey()
      await store.create(key, { expectedBytes: bytes.length })
      const writer = await write(store, key, 0, 17 * mebibyte)
      const prefixOf = (offsetBytes: number) => ({
        offsetBytes,
        crc32: crc32(bytes.subarray(0, offsetBytes)),
      })
      const some = await writer.flush({ maxLagBytes: 64 * mebibyte })
      expect(some).toEqual(prefixOf(some.offsetBytes))
      const { offsetBytes } = await store.recover(key, unknownEnd)
      expect(offsetBytes).toBeGreaterThanOrEqual(some.offsetBytes)
      expect(await writer.flush({ maxLagBytes: mebibyte - 1 })).toEqual(prefixOf(17 * mebibyte))
      expect(await store.recover(key, unknownEnd)).toEqual(prefixOf(17 * mebibyte))
      await writer.close()
    })

    test('leave no bytes in the database that have landed, while they are still written', async () => {
      const key = newObjectKey()
      const poor = world.openStore({ memory: createTransferMemory({ totalBytes: 0 }) })
      await poor.create(key, { expectedBytes: bytes.length })
      const other = newObjectKey()
      await poor.create(other)
      // Holds what memory there is to gather in.
      const holder = await write(poor, other, 0, mebibyte)
      const writer = await write(poor, key, 0, 17 * mebibyte)
      const pieces = () => world.database.knex('s3_pieces').where({ key })
      expect(await pieces()).not.toEqual([])
      const safeBytes = async () => (await writer.flush({ maxLagBytes: 64 * mebibyte })).offsetBytes
      await expect.poll(safeBytes, { timeout: 20_000 }).toBe(16 * mebibyte)
      await safeBytes()
      expect(await pieces().andWhere('start_bytes', '<', 16 * mebibyte)).toEqual([])
      await writer.close()
      await holder.close()
      const second = await write(world.openStore(), key, 16 * mebibyte, bytes.length)
      await second.finish()
      await second.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('leave no upload behind in S3 where the response that told of one was lost', async () => {
      const key = newObjectKey()
      await store.create(key)
      await world.database.knex('s3_objects').where({ key }).update({ upload_id: '' })
      const lost = await world.beginParts(key)
      expect(await world.uploadsOf(key)).toContain(lost)
      const writer = await write(store, key, 0, bytes.length)
      await writer.finish()
      await writer.close()
      expect(await world.uploadsOf(key)).toEqual([])
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('are written by the newest writer alone', async () => {
      const key = newObjectKey()
      await store.create(key)
      const old = await write(store, key, 0, mebibyte)
      const writer = await write(world.openStore(), key, 0, 9 * mebibyte)
      await expect(old.flush({ maxLagBytes: 0 })).rejects.toMatchObject({ code: 'internal' })
      await old.close()
      await writer.write([bytes.subarray(9 * mebibyte)])
      await writer.finish()
      await writer.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })

    test('of one share are joined within S3, small ones among them', async () => {
      const sizes = [6 * mebibyte, 10, 21 * mebibyte, 4 * mebibyte, 0, 5 * mebibyte]
      const sources = []
      for (const sizeBytes of sizes) {
        const source = newObjectKey()
        await store.putSmall(source, [bytes.subarray(0, sizeBytes)])
        sources.push({ key: source, sizeBytes })
      }
      const key = newObjectKey()
      await store.concatenate(key, sources)
      const joined = Buffer.concat(sizes.map((size) => bytes.subarray(0, size)))
      expect(await digestOf(store, key)).toBe(sha256(joined))
    })

    test.each([
      ['as a replica left them', {}],
      ['whose replica died before it noted the upload', { upload_id: null }],
    ])('that nobody finishes leave no parts behind: %s', async (_name, change) => {
      const key = newObjectKey()
      await store.create(key)
      const writer = await write(store, key, 0, 17 * mebibyte)
      await writer.flush({ maxLagBytes: 0 })
      await writer.close()
      await world.database
        .knex('s3_objects')
        .where({ key })
        .update({ key, ...change })
      expect(await world.uploadsOf(key)).toHaveLength(1)
      await store.remove([key])
      expect(await world.uploadsOf(key)).toEqual([])
    })

    test('begin anew where somebody has removed their parts from the bucket', async () => {
      const key = newObjectKey()
      await store.create(key)
      const writer = await write(store, key, 0, 9 * mebibyte)
      await writer.flush({ maxLagBytes: 0 })
      await writer.close()
      await world.database.knex('s3_objects').where({ key }).update({ upload_id: 'gone' })
      const next = await store.openWriter(key, { offsetBytes: 9 * mebibyte })
      await next.write([bytes.subarray(9 * mebibyte, 17 * mebibyte)]).catch(() => undefined)
      await expect(next.finish()).rejects.toMatchObject({ code: 'internal' })
      await next.close()
      expect(await store.storedBytes(key)).toBe(0)
      const again = await write(store, key, 0, bytes.length)
      await again.finish()
      await again.close()
      expect(await digestOf(store, key)).toBe(sha256(bytes))
    })
  })

  describe('starting', () => {
    let world: World
    beforeAll(async () => {
      world = await createWorld(program)
    })
    afterAll(() => world.dispose())

    test('makes the bucket, also when two replicas do so at once', async () => {
      const bucket = 'made-at-start'
      const stores = [world.openStore({ bucket }), world.openStore({ bucket })]
      await Promise.all(stores.map((store) => store.prepare()))
      await stores[0]?.prepare()
    })

    test('marks the bucket in one replica after another', async () => {
      const { knex } = world.database
      const store = world.openStore({ bucket: 'marked-in-turn' })
      const another = await knex.transaction()
      await another('s3_installation').forUpdate().first('id')
      const isPrepared = store.prepare().then(() => true)
      await expect
        .poll(() =>
          knex('pg_stat_activity')
            .where({ wait_event_type: 'Lock' })
            .whereRaw('datname = current_database()')
            .first('query'),
        )
        .toMatchObject({ query: expect.stringContaining('s3_installation') as string })
      await another.commit()
      expect(await isPrepared).toBe(true)
    })

    test("refuses a bucket that is another installation's, and leaves it as it is", async () => {
      const bucket = 'taken'
      const first = world.openStore({ bucket })
      await first.prepare()
      const key = newObjectKey()
      await first.putSmall(key, [Buffer.from('kept')])
      const other = await createDatabase()
      // The databases of tests are copies, so that both have the id of one installation.
      await other.database.knex('s3_installation').update({ id: randomUUID() })
      const second = world.openStore({ bucket, database: other.database })
      await expect(second.prepare()).rejects.toThrow(/belongs to another installation/)
      await first.prepare()
      expect(await first.storedBytes(key)).toBe(4)
      await other.drop()
    })

    const wrong = { accessKey: 'nobody', secretKey: 'not the secret', bucket: 'Not_A_Bucket' }
    test.each([
      [{ accessKey: wrong.accessKey }, /S3_ACCESS_KEY/],
      [{ secretKey: wrong.secretKey }, /S3_SECRET_KEY/],
      [{ bucket: wrong.bucket }, /S3_BUCKET/],
      [{ endpoint: 'http://127.0.0.1:9' }, /S3_ENDPOINT/],
    ])('says what is wrong with %o', async (change, words) => {
      const { endpoint, accessKey, secretKey } = world.server
      const access = { endpoint, accessKey, secretKey, region: 'us-east-1', bucket: 'floe' }
      const store = createS3Store({ ...access, database: world.database, ...change })
      await expect(store.prepare()).rejects.toThrow(words)
      store.close()
    })
  })

  describe('a public address', () => {
    let world: World
    let store: S3Store
    const key = newObjectKey()
    const content = randomBytes(9_000_000)

    beforeAll(async () => {
      world = await createWorld(program)
      store = world.openStore({ publicEndpoint: world.server.endpoint })
      await store.prepare()
      await store.putSmall(key, [content])
    })
    afterAll(() => world.dispose())

    const disposition =
      'attachment; filename="a _b_.txt"; filename*=UTF-8\'\'a%20%22b%22%20%E2%82%AC%26%3B%2B.txt'
    const headers = {
      contentType: 'text/plain; charset=utf-8',
      contentDisposition: disposition,
    }
    const sign = async (of: ObjectKey) => {
      const handOff = await store.handOff(of, headers)
      if (handOff?.kind !== 'redirect') throw new Error('there is none')
      return handOff.address
    }

    test('gives the bytes to all that have it, with the headers it was made for', async () => {
      const response = await fetch(await sign(key))
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': disposition,
        'cache-control': 'no-store',
        'content-length': String(content.length),
      })
      expect(sha256(Buffer.from(await response.arrayBuffer()))).toBe(sha256(content))
    })

    test('respects Range, so that transfers resume', async () => {
      const response = await fetch(await sign(key), { headers: { Range: 'bytes=8999990-' } })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe('bytes 8999990-8999999/9000000')
      expect(response.headers.get('content-disposition')).toBe(disposition)
      expect(Buffer.from(await response.arrayBuffer()).equals(content.subarray(-10))).toBe(true)
    })

    test('ends after a minute', async () => {
      const { searchParams } = new URL(await sign(key))
      expect(searchParams.get('X-Amz-Expires')).toBe('60')
    })

    test('opens nothing else: no other object, name, type or time', async () => {
      const other = newObjectKey()
      await store.putSmall(other, [Buffer.from('other')])
      const address = await sign(key)
      const changes = [
        (text: string) => text.replace(key, other),
        (text: string) => text.replace('text%2Fplain', 'text%2Fhtml'),
        (text: string) => text.replace('attachment', 'inline'),
        (text: string) => text.replace('X-Amz-Expires=60', 'X-Amz-Expires=61'),
      ]
      for (const change of changes) {
        expect(change(address)).not.toBe(address)
        expect((await fetch(change(address))).status).toBe(403)
      }
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(403)
      await expect(sign('../floe-installation')).rejects.toMatchObject({ code: 'internal' })
    })
  })
})

async function digestOf(store: ObjectStore, key: ObjectKey): Promise<string> {
  const reader = await store.openReader(key)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(mebibyte)
  for (let position = 0; ;) {
    const count = await reader.read(buffer, position)
    if (count === 0) break
    hash.update(buffer.subarray(0, count))
    position += count
  }
  await reader.close()
  return hash.digest('hex')
}

/** Passes on what it is asked, and tells of each request. */
async function startRelay(target: string, onRequest: (request: IncomingMessage) => void) {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, response) => {
    onRequest(incoming)
    const { method, url, headers } = incoming
    const passed = request({ hostname, port, method, path: url, headers }, (upstream) => {
      response.writeHead(upstream.statusCode ?? 502, upstream.headers)
      upstream.pipe(response)
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const own = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${own}`,
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function expectNothingKept({ database }: World, key: ObjectKey): Promise<void> {
  for (const table of ['s3_parts', 's3_pieces']) {
    expect(await database.knex(table).where({ key })).toEqual([])
  }
}
