import { type ClamdServer, infectedText, latch, startClamdServer, THREAT } from '@floe/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createZip } from '../../testing/small-zip.ts'
import { createFileWorld, type FileWorld, type Replica } from '../../testing/file-world.ts'
import { addFile, grantOf } from '../../testing/scanned-share.ts'
import type { TestShare } from '../../testing/test-ports.ts'

let clamd: ClamdServer
beforeAll(async () => {
  clamd = await startClamdServer()
})
afterAll(() => clamd.close())

const infected = Buffer.from(infectedText)

describe.each(['files', 'minio'] as const)('objects in %s:', (objectsIn) => {
  let world: FileWorld
  let replica: Replica
  let share: TestShare

  beforeAll(async () => {
    world = await createFileWorld({ objectsIn, clamav: clamd })
    replica = await world.startReplica()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    share = world.ports.addShare()
    world.ports.settings['antivirus.maxFileSize'] = 100_000_000
  })
  afterEach(async () => {
    await clamd.stop()
    await clamd.start()
  })

  const scan = (signal?: AbortSignal) =>
    replica.runJob('scan-share-files', { shareUid: share.uid }, signal)
  const scans = async () => {
    const listed = await replica.files.listFiles({ grant: grantOf(share) })
    return Object.fromEntries(listed.map(({ name, scan: known }) => [name, known?.state]))
  }
  const waiting = async () => {
    const [measured] = await replica.files.measureShares({ shareUids: [share.uid] })
    return measured?.waiting
  }
  const scannedEvents = async () => {
    const rows = await world.database.knex('outbox').where({ name: 'share.scanned' })
    return rows.filter(({ payload }) => payload.shareUid === share.uid).length
  }

  it('each file of a share is scanned, and it is told once none is left', async () => {
    await addFile(replica, share, 'clean.txt', Buffer.from('harmless'))
    await addFile(replica, share, 'eicar.com', infected)
    await addFile(replica, share, 'folder/inside.zip', createZip('a.com', infected))
    expect(new Set(Object.values(await scans()))).toEqual(new Set(['not_scanned']))
    expect(await waiting()).toBe(3)
    expect(await scannedEvents()).toBe(0)
    await scan()
    expect(await scans()).toEqual({
      'clean.txt': 'clean',
      'eicar.com': 'infected',
      'folder/inside.zip': 'infected',
    })
    const listed = await replica.files.listFiles({ grant: grantOf(share) })
    expect(listed[1]?.scan?.threat).toBe(`${THREAT}.UNOFFICIAL`)
    expect(await waiting()).toBe(0)
    expect(await scannedEvents()).toBe(1)
  })

  it('what is greater than the setting is too big and never clean, until the setting is greater', async () => {
    world.ports.settings['antivirus.maxFileSize'] = 10
    await addFile(replica, share, 'small', Buffer.alloc(10))
    await addFile(replica, share, 'big', Buffer.concat([Buffer.alloc(11), infected]))
    await scan()
    expect(await scans()).toEqual({ small: 'clean', big: 'too_big' })
    world.ports.settings['antivirus.maxFileSize'] = 1_000
    await replica.runJob('scan-waiting-files')
    expect(await scans()).toEqual({ small: 'clean', big: 'infected' })
  })

  it('a scanner that is away leaves files as they are, and the schedule comes again', async () => {
    await addFile(replica, share, 'a', infected)
    await clamd.stop()
    await scan()
    await replica.runJob('scan-waiting-files')
    expect(await scans()).toEqual({ a: 'not_scanned' })
    await clamd.start()
    await replica.runJob('scan-waiting-files')
    expect(await scans()).toEqual({ a: 'infected' })
  })

  it('a scanner that is killed in the middle has failed, and is asked again by schedule', async () => {
    await addFile(replica, share, 'a', Buffer.concat([Buffer.alloc(5_000_000), infected]))
    const isHalfway = latch()
    const watched = await world.startReplica({
      wrapObjects: (objects) => ({
        ...objects,
        openReader: async (key, span) => {
          const reader = await objects.openReader(key, span)
          const read: typeof reader.read = (buffer, position) => {
            if (position > 0) isHalfway.open()
            return reader.read(buffer, position)
          }
          return { read, close: () => reader.close() }
        },
      }),
    })
    clamd.freeze()
    const scanned = watched.runJob('scan-share-files', { shareUid: share.uid })
    await isHalfway.opened
    await clamd.stop()
    await scanned
    expect(await scans()).toEqual({ a: 'failed' })
    expect(await waiting()).toBe(1)
    await clamd.start()
    await replica.runJob('scan-waiting-files')
    expect(await scans()).toEqual({ a: 'infected' })
  })

  it('twenty files at once each get their own answer', async () => {
    const wanted = Array.from({ length: 20 }, (_, index) => [
      String(index).padStart(2, '0'),
      index % 3 === 0 ? 'infected' : 'clean',
    ])
    await Promise.all(
      wanted.map(([name = '', state]) =>
        addFile(replica, share, name, state === 'infected' ? infected : Buffer.from(name)),
      ),
    )
    await Promise.all([scan(), scan(), replica.runJob('scan-waiting-files')])
    expect(await scans()).toEqual(Object.fromEntries(wanted))
  })

  it('a file that is deleted before its turn is no failure', async () => {
    const { id } = await addFile(replica, share, 'a', infected)
    await world.database.knex('uploads').where({ share_uid: share.uid }).delete()
    await world.database.knex('files').where({ id }).delete()
    await scan()
    expect(await world.database.knex('file_scans').where({ id })).toEqual([])
  })

  it('bytes that are not there are no clean file', async () => {
    const { id } = await addFile(replica, share, 'a', Buffer.from('harmless'))
    const [row] = await world.database.knex('files').where({ id })
    await world.objects.remove([row.object_key])
    await scan()
    expect(await scans()).toEqual({ a: 'failed' })
  })
})

describe('without a scanner', () => {
  it('nothing is written, nothing is told and nothing waits', async () => {
    const world = await createFileWorld()
    const replica = await world.startReplica()
    const share = world.ports.addShare()
    await addFile(replica, share, 'a', infected)
    await replica.runJob('scan-share-files', { shareUid: share.uid })
    await replica.runJob('scan-waiting-files')
    expect(await world.database.knex('file_scans')).toEqual([])
    const [listed] = await replica.files.listFiles({ grant: grantOf(share) })
    expect(listed).not.toHaveProperty('scan')
    const [measured] = await replica.files.measureShares({ shareUids: [share.uid] })
    expect(measured).not.toHaveProperty('waiting')
    await world.close()
  })
})
