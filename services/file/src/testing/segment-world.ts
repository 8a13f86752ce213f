import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReadGrant } from '@floe/contracts'
import type { ObjectStore } from '@floe/storage'
import {
  creation,
  createFileWorld,
  type FileWorld,
  octets,
  type Replica,
  type ReplicaOptions,
} from './file-world.ts'
import type { TestShare } from './test-ports.ts'

const run = promisify(execFile)

export interface SegmentRow {
  level: number
  state: string
  object_key: string | null
  source_bytes: number
  claim_holder: number | null
}

export interface UnpackedEntry {
  method: number
  sizeBytes: number
}

/** A file world for archives of deflated segments. */
export interface SegmentWorld extends FileWorld {
  /** One that is always there. */
  replica: Replica
  setLevel(level: number): void
  pass(ms: number): void
  addFile(share: TestShare, name: string, body: Buffer): Promise<void>
  /** Adds the files and completes the share. */
  publish(share: TestShare, files: Record<string, Buffer>): Promise<void>
  build(share: TestShare, by?: Replica, signal?: AbortSignal): Promise<void>
  /** Ends the work in order before this block of 2 MiB is written, as a stop of the process does. */
  buildUntil(share: TestShare, block: number): Promise<void>
  download(
    share: TestShare,
    options?: { headers?: Record<string, string>; method?: string },
  ): Promise<{ status: number; headers: Headers; bytes: Buffer }>
  /** The entries as Python finds them, after it and unzip have checked every CRC-32. */
  unpack(archive: Buffer): Promise<Map<string, UnpackedEntry>>
  grantOf(share: TestShare): Promise<ReadGrant>
  segmentRows(share: TestShare): Promise<SegmentRow[]>
  segmentKeys(share: TestShare): Promise<string[]>
  storedKeys(): Promise<Set<string>>
  /** Between tests: what one leaves unfinished must not be another's work. */
  forgetWork(): Promise<void>
}

export async function createSegmentWorld(options: ReplicaOptions = {}): Promise<SegmentWorld> {
  const world = await createFileWorld()
  const { knex } = world.database
  const replica = await world.startReplica(options)
  const scratch = await mkdtemp(join(tmpdir(), 'floe-segments-'))
  const segmentRows = (share: TestShare): Promise<SegmentRow[]> =>
    knex('archive_segments').where({ share_uid: share.uid }).orderBy('object_key')

  async function addFile(share: TestShare, name: string, body: Buffer) {
    const headers = creation(share, { 'Upload-Length': String(body.length), ...octets }, name)
    const response = await replica.send('POST', '/api/uploads', { headers, body })
    if (response.status !== 201) throw new Error(`${name}: ${response.status} ${response.text}`)
  }

  const build = (share: TestShare, by = replica, signal?: AbortSignal) =>
    by.runJob('build-segments', { shareUid: share.uid }, signal)

  return {
    ...world,
    replica,
    addFile,
    build,
    publish: async (share, files) => {
      for (const [name, body] of Object.entries(files)) await addFile(share, name, body)
      world.ports.complete(share)
    },
    buildUntil: async (share, block) => {
      const abort = new AbortController()
      const { wrapObjects } = watchNthWrite(block, () => abort.abort())
      const worker = await world.startReplica({ wrapObjects })
      const outcome = await build(share, worker, abort.signal).catch(() => 'stopped')
      if (outcome !== 'stopped') throw new Error('it was done before')
      await worker.stop()
    },
    segmentRows,
    setLevel: (level) => {
      world.ports.settings['share.zipCompressionLevel'] = level
    },
    pass: (ms) => {
      world.clock.now = new Date(world.clock.now.getTime() + ms)
    },
    download: async (share, { headers = {}, method = 'GET' } = {}) => {
      const url = `http://127.0.0.1:${replica.port}/api/shares/${share.id}/files/zip`
      const response = await fetch(url, { method, headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes }
    },
    unpack: async (archive) => {
      const file = join(scratch, `${randomUUID()}.zip`)
      await writeFile(file, archive)
      await run('unzip', ['-tqq', file])
      const { stdout } = await run('python3', ['-c', pythonList, file])
      return new Map(JSON.parse(stdout) as [string, UnpackedEntry][])
    },
    grantOf: ({ id }) =>
      world.ports.share.authorizeRead({ shareId: id, access: 'direct', credentials: nobody }),
    segmentKeys: async (share) => (await segmentRows(share)).flatMap((row) => row.object_key ?? []),
    storedKeys: async () => {
      const keys = new Set<string>()
      for await (const { key } of world.objects.list()) keys.add(key)
      return keys
    },
    forgetWork: async () => {
      world.clock.now = new Date()
      await knex('archive_segments').delete()
      await knex('outbox').delete()
      await replica.runJob('reconcile-objects')
    },
    close: async () => {
      await world.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

const nobody = {
  accessToken: null,
  shareToken: null,
  ownerToken: null,
  reverseShareToken: null,
  clientAddress: '127.0.0.1',
  userAgent: '',
}

const pythonList = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps([
        [entry.filename, {'method': entry.compress_type, 'sizeBytes': entry.file_size}]
        for entry in archive.infolist()
    ]))
`

/** Lines that no two files share, and that shrink to a fifth. */
export function makeText(bytes: number): Buffer {
  const line = `${randomUUID()} the visitor opened the share and downloaded all of its files\n`
  return Buffer.alloc(bytes, line)
}

/** Records what is written and read, and can stop or fail a write. */
export function watchObjects() {
  const seen = { written: [] as string[], readBytes: 0 }
  const hooks: { beforeWrite?: () => Promise<void> } = {}
  const wrapObjects = (objects: ObjectStore): ObjectStore => ({
    ...objects,
    putSmall: async (key, chunks) => {
      await hooks.beforeWrite?.()
      seen.written.push(key)
      await objects.putSmall(key, chunks)
    },
    create: async (key, options) => {
      seen.written.push(key)
      await objects.create(key, options)
    },
    openWriter: async (key, at) => {
      const writer = await objects.openWriter(key, at)
      return {
        ...writer,
        get position() {
          return writer.position
        },
        write: async (chunks) => {
          await hooks.beforeWrite?.()
          await writer.write(chunks)
        },
      }
    },
    openReader: async (key, span) => {
      const reader = await objects.openReader(key, span)
      return {
        ...reader,
        read: async (buffer, position) => {
          const count = await reader.read(buffer, position)
          seen.readBytes += count
          return count
        },
      }
    },
  })
  return { seen, hooks, wrapObjects }
}

/** A watch whose nth write does something first. */
export function watchNthWrite(nth: number, act: () => Promise<void> | void) {
  const watch = watchObjects()
  let writes = 0
  watch.hooks.beforeWrite = async () => {
    writes += 1
    if (writes === nth) await act()
  }
  return watch
}
