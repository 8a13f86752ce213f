import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { jobs, reactions } from '@floe/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEditedShare, type EditedShare } from '../../testing/edited-share.ts'
import {
  createFileWorld,
  type FileWorld,
  makeBytes,
  type Replica,
} from '../../testing/file-world.ts'
import { LONGEST_TRANSFER_MS } from './share-removals.ts'

// More than what the system takes from a server whose client reads nothing.
const bigBody = makeBytes(24 * 1024 * 1024)

let world: FileWorld
let replica: Replica
/** Where the job runs in the split arrangement: it knows of no transfer but by the database. */
let worker: Replica
let shared: EditedShare
let filePath: string

beforeAll(async () => {
  world = await createFileWorld()
  replica = await world.startReplica()
  worker = await world.startReplica()
  world.ports.settings['share.chunkSize'] = bigBody.length
})
afterAll(() => world.close())
beforeEach(async () => {
  shared = createEditedShare(world, replica)
  filePath = await shared.addFile('a.bin', bigBody)
  await shared.addFile('b.bin', makeBytes(10))
  await shared.addFile('c.bin', makeBytes(10))
  await shared.complete()
})
afterEach(() => {
  world.clock.now = new Date()
})

/** Gets the head and then nothing more until it is read. */
async function beginDownload(path: string, from = replica): Promise<IncomingMessage> {
  const req = get({ host: '127.0.0.1', port: from.port, path, agent: false })
  const [response] = (await once(req, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  return response
}

async function readToEnd(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  expect(response.complete).toBe(true)
  return Buffer.concat(chunks)
}

async function deleteShare(): Promise<void> {
  shared.share.state = 'gone'
  await runRemoval()
}
const runRemoval = () => worker.runJob('delete-share-files', { shareUid: shared.share.uid })

async function expectRemoved(): Promise<void> {
  for (const table of ['files', 'uploads', 'share_totals', 'transfer_holds']) {
    expect(await world.database.knex(table).where({ share_uid: shared.share.uid })).toEqual([])
  }
}

const countEnds = async () =>
  (
    await world.database
      .knex('outbox')
      .where({ name: 'share-transfers.ended' })
      .whereRaw("payload->>'shareUid' = ?", [shared.share.uid])
  ).length

describe('a share that goes while it is downloaded', () => {
  test('keeps its objects until the last transfer has ended, byte for byte', async () => {
    const whole = await shared.downloadArchive()
    const [archive, file] = [await beginDownload(shared.archivePath), await beginDownload(filePath)]
    await deleteShare()
    expect((await shared.objectKeys()).size).toBe(3)
    expect(await shared.statusOf(filePath)).toBe(404)
    expect((await readToEnd(file)).equals(bigBody)).toBe(true)
    await runRemoval()
    expect((await shared.objectKeys()).size).toBe(3)
    expect(await countEnds()).toBe(0)
    expect((await readToEnd(archive)).equals(whole.bytes)).toBe(true)
    await vi.waitFor(async () => expect(await countEnds()).toBe(1))
    await runRemoval()
    await expectRemoved()
  })

  test('is removed when the end of its last transfer asks for it', () => {
    const asked = reactions.filter(({ event }) => event === 'share-transfers.ended')
    expect(asked.map(({ job }) => job)).toEqual([jobs.deleteShareFiles])
  })

  test('is read no longer by a client that went away', async () => {
    const response = await beginDownload(shared.archivePath)
    await deleteShare()
    response.destroy()
    await vi.waitFor(async () => expect(await countEnds()).toBe(1))
    await runRemoval()
    await expectRemoved()
  })

  test('does not wait for a process that died', async () => {
    const other = await world.startReplica()
    const response = await beginDownload(shared.archivePath, other)
    response.on('error', () => undefined)
    await deleteShare()
    expect((await shared.objectKeys()).size).toBe(3)
    await other.kill()
    await worker.runJob('reconcile-objects')
    await expectRemoved()
  })

  test('waits for a day and not longer', async () => {
    const response = await beginDownload(shared.archivePath)
    response.on('error', () => undefined)
    await deleteShare()
    const pass = (ms: number) => {
      world.clock.now = new Date(world.clock.now.getTime() + ms)
    }
    pass(LONGEST_TRANSFER_MS - 1_000)
    await worker.runJob('reconcile-objects')
    expect((await shared.objectKeys()).size).toBe(3)
    pass(2_000)
    await worker.runJob('reconcile-objects')
    await expectRemoved()
    response.destroy()
  })

  test('is not begun to be read by a request that was granted just before', async () => {
    const response = await beginDownload(shared.archivePath)
    await deleteShare()
    shared.share.state = 'locked'
    for (const path of [shared.archivePath, filePath]) {
      expect(await worker.send('GET', path)).toMatchObject({ status: 404, code: 'share_not_found' })
    }
    shared.share.state = 'gone'
    response.destroy()
    await vi.waitFor(async () => expect(await countEnds()).toBe(1))
    await runRemoval()
    await expectRemoved()
  })
})

test('transfers of a share that stays leave nothing behind, however many there are', async () => {
  const downloads = Array.from({ length: 20 }, async () => {
    const bytes = await readToEnd(await beginDownload(shared.archivePath))
    expect(bytes.length).toBeGreaterThan(bigBody.length)
  })
  await Promise.all(downloads)
  await vi.waitFor(async () => {
    const holds = world.database.knex('transfer_holds').where({ share_uid: shared.share.uid })
    expect(await holds).toEqual([])
  })
  expect(await countEnds()).toBe(0)
})
