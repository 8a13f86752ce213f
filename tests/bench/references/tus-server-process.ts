/**
 * @tus/server with its file store, as its documentation shows it. With DATABASE_URL it also writes
 * what Floe writes for a finished file, into tables of the same shape in the schema `bench`: one
 * statement that plans once, so that the database is not what it loses time with.
 */
import { openDatabase } from '@floe/db'
import { FileStore } from '@tus/file-store'
import { Server, type Upload } from '@tus/server'
import { randomUUID } from 'node:crypto'

const { DATABASE_URL, FOLDER = '.', PORT } = process.env
const shareUid = randomUUID()

const insertRows = {
  name: 'bench-insert-finished-upload',
  text: `with file as (
      insert into bench.files (share_uid, id, name, size_bytes, crc32, object_key, created_at)
      values ($1, $2, $3, $4, 0, $5, now())
    ), upload as (
      insert into bench.uploads (id, kind, share_uid, share_id, file_id, name, length_bytes,
        object_key, offset_bytes, boot_id, created_at, expires_at, finished_at)
      values ($5, 'tus', $1, 'bench', $2, $3, $4, $5, $4, 'bench', now(), now(), now())
    )
    insert into bench.outbox (name, payload)
    values ('upload.finished', jsonb_build_object('shareUid', $1::text, 'fileId', $2::text))`,
}

const database =
  DATABASE_URL === undefined ? undefined : openDatabase({ url: DATABASE_URL, maxConnections: 10 })

async function recordFinished(upload: Upload): Promise<object> {
  const values = [shareUid, randomUUID(), upload.metadata?.['filename'], upload.size, upload.id]
  await database?.query({ ...insertRows, values })
  return {}
}

new Server({
  path: '/files',
  datastore: new FileStore({ directory: FOLDER }),
  ...(database ? { onUploadFinish: (_request, upload) => recordFinished(upload) } : {}),
}).listen({ port: Number(PORT), host: '127.0.0.1' })
