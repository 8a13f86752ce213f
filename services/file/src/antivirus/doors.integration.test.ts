import { fileRoutes, type ScanState } from '@floe/contracts'
import { type ClamdServer, colourPng, infectedText, startClamdServer } from '@floe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createFileWorld,
  type FileWorld,
  type FileWorldOptions,
  ownerHeaders,
  type Replica,
} from '../testing/file-world.ts'
import { addFile } from '../testing/scanned-share.ts'
import type { TestShare } from '../testing/test-ports.ts'

const infected = Buffer.concat([colourPng(8, [200, 10, 10]), Buffer.from(infectedText)])
const clean = colourPng(9, [10, 200, 10])
const MARK = infectedText.slice(-20)

let clamd: ClamdServer
beforeAll(async () => {
  clamd = await startClamdServer()
})
afterAll(() => clamd.close())

/** Each way to get bytes of one file. */
const fileDoors: Record<string, (path: string) => [string, Record<string, string>?]> = {
  'a download': (path) => [path],
  'a range': (path) => [path, { Range: 'bytes=2-' }],
  'the end': (path) => [path, { Range: 'bytes=-20' }],
  'a preview, as pictures, texts and media are read': (path) => [`${path}?download=false`],
  'what a script reads': (path) => [path, { 'Sec-Fetch-Mode': 'cors' }],
  'a range that goes on': (path) => [path, { Range: 'bytes=1-', 'If-Range': '"x"' }],
  'a thumbnail': (path) => [`${path}/thumbnail`],
}

const places: Record<string, FileWorldOptions> = {
  'on disk': {},
  'on disk, sent by a proxy': {
    sendfile: { header: 'X-Accel-Redirect', prefix: '/floe-objects/' },
  },
  'in a bucket': { objectsIn: 'minio' },
  'in a bucket that people reach': { objectsIn: 'minio', hasPublicAddresses: true },
}

it('knows every route of the file service that gives content', () => {
  const gives = Object.values(fileRoutes).filter(({ method }) => method === 'get')
  expect(gives.map(({ path }) => path).toSorted()).toEqual([
    '/api/shares/:shareId/files/:fileId',
    '/api/shares/:shareId/files/:fileId/thumbnail',
    '/api/shares/:shareId/files/SHA256SUMS',
    '/api/shares/:shareId/files/zip',
  ])
})

describe.each(Object.entries(places))('files %s:', (_place, options) => {
  let world: FileWorld
  let replica: Replica
  let share: TestShare
  let good: { id: string; path: string }
  let bad: { id: string; path: string }

  beforeAll(async () => {
    world = await createFileWorld({ ...options, clamav: clamd })
    replica = await world.startReplica()
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    Object.assign(world.ports.settings, {
      'antivirus.policy': 'hold',
      'antivirus.allowTooBig': false,
      'antivirus.maxFileSize': 100_000_000,
    })
    share = world.ports.addShare()
    bad = await addFile(replica, share, 'a/bad.png', infected)
    good = await addFile(replica, share, 'a/good.png', clean)
    await replica.runJob('make-thumbnails', { shareUid: share.uid })
  })

  const scan = () => replica.runJob('scan-share-files', { shareUid: share.uid })
  const zip = () => `/api/shares/${share.id}/files/zip`

  async function selectionOf(...ids: string[]): Promise<string> {
    const { text } = await replica.send('POST', `/api/shares/${share.id}/files/selection`, {
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ files: ids })),
    })
    return `${zip()}?selection=${String(JSON.parse(text).selection)}`
  }

  async function stateOf(id: string): Promise<ScanState> {
    const row = await world.database.knex('file_scans').where({ id }).first('state')
    return row?.state ?? 'not_scanned'
  }

  /** Whether content was given, or a way to it. */
  async function isGiven(
    [path, headers = {}]: [string, Record<string, string>?],
    who: Record<string, string> = {},
  ): Promise<boolean> {
    const {
      status,
      text,
      headers: told,
    } = await replica.send('GET', path, {
      headers: { ...headers, ...who },
    })
    const given = status < 400
    if (!given) {
      expect(text).not.toContain(MARK)
      expect(told).not.toHaveProperty('location')
      expect(told).not.toHaveProperty('x-accel-redirect')
      expect(['file_not_scanned', 'file_infected', 'file_too_big_to_scan']).toContain(
        JSON.parse(text).error,
      )
    }
    return given
  }

  it('at no moment of a scan any door gives what is not known to be clean', async () => {
    const wholes = [
      [zip()],
      [zip(), { Range: 'bytes=10-' }],
      [`${zip()}?folder=a`],
      [await selectionOf(bad.id, good.id)],
      [`/api/shares/${share.id}/files/SHA256SUMS`],
    ] as [string, Record<string, string>?][]
    const seen = { refused: 0, given: 0 }
    const look = async (who: Record<string, string>) => {
      for (const door of Object.values(fileDoors)) {
        const isGoodGiven = await isGiven(door(good.path), who)
        if (isGoodGiven) expect(await stateOf(good.id)).toBe('clean')
        expect(await isGiven(door(bad.path), who)).toBe(false)
        seen[isGoodGiven ? 'given' : 'refused'] += 1
      }
      expect(await isGiven([await selectionOf(bad.id)], who)).toBe(false)
      for (const door of wholes) {
        if (!(await isGiven(door, who))) continue
        expect([await stateOf(good.id), await stateOf(bad.id)]).toEqual(['clean', 'infected'])
        const { text } = await replica.send(
          'GET',
          ...([door[0], { headers: door[1] ?? {} }] as const),
        )
        expect(text).not.toContain('bad.png')
      }
    }
    const lookTwice = async () => {
      await look({})
      await look(ownerHeaders(share))
    }
    await lookTwice()
    clamd.freeze()
    const scanned = scan()
    await lookTwice()
    expect(seen.given).toBe(0)
    clamd.thaw()
    let isOver = false
    const ended = scanned.finally(() => (isOver = true))
    while (!isOver) await lookTwice()
    await ended
    seen.given = 0
    await lookTwice()
    expect(seen.given).toBe(2 * Object.keys(fileDoors).length)
  })

  it('what is being scanned may be asked for again, and what is infected may not', async () => {
    const early = await replica.send('GET', good.path)
    expect(early.status).toBe(503)
    expect(early.headers['retry-after']).toBe('5')
    await scan()
    expect((await replica.send('GET', bad.path)).status).toBe(403)
    expect(
      (await replica.send('GET', good.path, { headers: { 'Sec-Fetch-Mode': 'cors' } })).status,
    ).toBe(200)
  })

  it('what is marked instead of held is open, until it is known to be infected', async () => {
    world.ports.settings['antivirus.policy'] = 'mark'
    const doors = Object.values(fileDoors)
    for (const door of doors) expect(await isGiven(door(bad.path))).toBe(true)
    expect(await isGiven([zip()])).toBe(true)
    await scan()
    for (const door of doors) {
      expect(await isGiven(door(bad.path))).toBe(false)
      expect(await isGiven(door(good.path))).toBe(true)
    }
    const { text } = await replica.send('GET', zip())
    expect(text).toContain('good.png')
    expect(text).not.toContain('bad.png')
  })

  it('what is too big to be scanned is given only where the setting allows it', async () => {
    world.ports.settings['antivirus.maxFileSize'] = 1
    await scan()
    expect(await isGiven([good.path])).toBe(false)
    expect(await isGiven([zip()])).toBe(false)
    world.ports.settings['antivirus.allowTooBig'] = true
    expect(await isGiven([good.path])).toBe(true)
    expect(await isGiven([zip()])).toBe(true)
  })
})
