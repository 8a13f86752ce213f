import { randomUUID } from 'node:crypto'
import type { Database } from '@floe/db'
import { workingEdition } from '../domain/share.ts'
import type { StoredFile } from './neighbours.ts'

/** Reads the database for tests, and changes the files of its shares. */
export interface Tables {
  /** Gives the share a file, as its owner would by uploading one. */
  addFile(shareId: string, file?: Partial<StoredFile>): Promise<void>
  /** Takes every file of that name out of the share, as its owner would. */
  removeFile(shareId: string, name: string): Promise<void>
  uidOf(shareId: string): Promise<string>
  eventsOf(shareId: string): Promise<string[]>
  /** The ids of the messages owed so far, oldest first. Takes them off the outbox. */
  takeOwedMails(): Promise<string[]>
}

export function openTables({ knex }: Database, files: Map<string, StoredFile[]>): Tables {
  async function uidOf(shareId: string): Promise<string> {
    const row = await knex('shares').where({ id: shareId }).first('uid')
    return row.uid
  }

  async function workingEditionOf(shareId: string): Promise<number> {
    const row = await knex('shares').where({ id: shareId }).first('edition', 'state')
    return workingEdition(row)
  }

  return {
    uidOf,
    addFile: async (shareId, file = {}) => {
      const uid = await uidOf(shareId)
      const stored = {
        id: randomUUID(),
        name: 'a.txt',
        sizeBytes: 5,
        sha256: null,
        addedEdition: await workingEditionOf(shareId),
        removedEdition: null,
        ...file,
      }
      files.set(uid, [...(files.get(uid) ?? []), stored])
    },
    removeFile: async (shareId, name) => {
      const removedEdition = await workingEditionOf(shareId)
      for (const file of files.get(await uidOf(shareId)) ?? []) {
        if (file.name === name) file.removedEdition = removedEdition
      }
    },
    eventsOf: async (shareId) => {
      const rows = await knex('outbox').whereRaw("payload->>'shareId' = ?", [shareId]).orderBy('id')
      return rows.map(({ name }: { name: string }) => name)
    },
    takeOwedMails: async () => {
      const rows = await knex('outbox').where({ name: 'share-mail.owed' }).delete(['id', 'payload'])
      return rows
        .sort((a, b) => a.id - b.id)
        .map(({ payload }: { payload: { mailId: string } }) => payload.mailId)
    },
  }
}
