import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { type Database, StartError } from '@floe/db'
import type { S3Calls } from './s3-calls.ts'

const markKey = 'floe-installation'

/**
 * Reconciliation removes what the database does not know, so two installations in one bucket would
 * destroy each other's files: the first to start marks it as its own, and no other starts with it.
 * Every S3 API can do this; of two installations that start for the first time at once, the mark
 * keeps one.
 */
export async function claimBucket(
  { client, bucket }: Pick<S3Calls, 'client' | 'bucket'>,
  { knex }: Pick<Database, 'knex'>,
): Promise<void> {
  const place = { Bucket: bucket, Key: markKey }
  await knex.transaction(async (trx) => {
    // Replicas start at once: the lock lets one after another look, so that none reads a mark while
    // another writes it.
    const own = await trx<{ id: string }>('s3_installation').forUpdate().first('id')
    if (own === undefined) throw new StartError('The table s3_installation has lost its row')
    if ((await readMark()) === null) {
      await client.send(
        new PutObjectCommand({ ...place, Body: own.id, ContentType: 'text/plain; charset=utf-8' }),
      )
    }
    if ((await readMark()) !== own.id) throw new StartError(explain(bucket))
  })

  async function readMark(): Promise<string | null> {
    try {
      const { Body } = await client.send(new GetObjectCommand(place))
      return (await Body?.transformToString())?.trim() ?? ''
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return null
      throw error
    }
  }
}

function explain(bucket: string): string {
  return (
    `The bucket ${bucket} belongs to another installation of Floe: set S3_BUCKET to another one. ` +
    `Should that installation be gone for good, empty the bucket, its object ${markKey} included; ` +
    'files that this database does not know would be removed from it'
  )
}
