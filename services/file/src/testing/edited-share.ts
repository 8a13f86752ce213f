import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type FileWorld, makeBytes, ownerHeaders, type Replica } from './file-world.ts'
import type { ReceivedResponse } from './http-client.ts'
import type { TestShare } from './test-ports.ts'

/** A file as its row tells: the edition that added it, and the one that removed it. */
export interface FileEditions {
  name: string
  added: number
  removed: number | null
}

/** What the owner of a share and its visitors do; the share's total is checked after each step. */
export interface EditedShare {
  share: TestShare
  archivePath: string
  /** Adds a file in one request; returns its path as visitors ask for it. */
  addFile(name: string, body?: Buffer): Promise<string>
  sendChunk(id: string, name: string, body: Buffer): Promise<ReceivedResponse>
  removeFile(path: string): Promise<void>
  tryToRemove(path: string): Promise<ReceivedResponse>
  complete(): Promise<void>
  reopen(): void
  download(path: string, headers?: Record<string, string>): Promise<Download>
  downloadArchive(headers?: Record<string, string>): Promise<Download>
  statusOf(path: string): Promise<number>
  files(): Promise<FileEditions[]>
  /** Keys of its files that are in the storage. */
  objectKeys(): Promise<Set<string>>
}

export interface Download {
  status: number
  etag: string
  bytes: Buffer
}

export function createEditedShare(world: FileWorld, replica: Replica): EditedShare {
  const share = world.ports.addShare()
  const filesPath = `/api/shares/${share.id}/files`
  const archivePath = `${filesPath}/zip`
  const rows = () => world.database.knex('files').where({ share_uid: share.uid }).orderBy('name')
  const expectTotals = async () => expect(await world.findMiscounts()).toEqual([])

  function sendChunk(id: string, name: string, body: Buffer) {
    const query = new URLSearchParams({ id, name, chunkIndex: '0', totalChunks: '1' })
    return replica.send('POST', `${filesPath}?${query.toString()}`, {
      headers: { ...ownerHeaders(share), 'Content-Type': 'application/octet-stream' },
      body,
    })
  }

  const tryToRemove = (path: string) =>
    replica.send('DELETE', path, { headers: ownerHeaders(share) })

  async function download(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`http://127.0.0.1:${replica.port}${path}`, { headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, etag: response.headers.get('etag') ?? '', bytes }
  }

  return {
    share,
    archivePath,
    sendChunk,
    tryToRemove,
    download,
    addFile: async (name, body = makeBytes(20)) => {
      const id = randomUUID()
      const response = await sendChunk(id, name, body)
      expect(response.status, response.text).toBe(201)
      await expectTotals()
      return `${filesPath}/${id}`
    },
    removeFile: async (path) => {
      const response = await tryToRemove(path)
      expect(response.status, response.text).toBe(200)
      await expectTotals()
    },
    complete: async () => {
      world.ports.complete(share)
      await expectTotals()
    },
    reopen: () => {
      share.state = 'open'
    },
    downloadArchive: (headers) => download(archivePath, headers),
    statusOf: async (path) => (await download(path)).status,
    files: async () =>
      (await rows()).map(({ name, added_edition: added, removed_edition: removed }) => ({
        name,
        added,
        removed,
      })),
    objectKeys: async () => {
      const known = new Set((await rows()).map(({ object_key: key }) => String(key)))
      const stored = new Set<string>()
      for await (const { key } of world.objects.list()) if (known.has(key)) stored.add(key)
      return stored
    },
  }
}
