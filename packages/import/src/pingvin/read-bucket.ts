import type { ForeignBucket } from '@floe/storage/s3'
import { type SourceContent, SourceError, type SourceSetting } from '../source.ts'
import type { Tables } from '../sqlite/tables.ts'

/** Where an installation keeps the files of those shares that it has in S3. */
export interface Bucket {
  /** Null if there is no such object. */
  find(shareId: string, name: string): Promise<SourceContent | null>
  close(): void
}

interface OpenBucketOptions {
  tables: Tables
  settings: readonly SourceSetting[]
  losses: string[]
}

/**
 * Null where no share is in S3, and where nothing says in which. Fails with `SourceError` where it
 * cannot be read.
 */
export async function openBucket({
  tables,
  settings,
  losses,
}: OpenBucketOptions): Promise<Bucket | null> {
  if (!tables.columns.get('Share')?.has('storageProvider')) return null
  if (tables.all('Share', `where "storageProvider" = 'S3' limit 1`).length === 0) return null
  const valueOf = (name: string) => settings.find(({ key }) => key === `s3.${name}`)?.value ?? ''
  const [endpoint, bucket] = [valueOf('endpoint'), valueOf('bucketName')]
  if (bucket === '') {
    losses.push('there are shares in S3, and no s3.bucketName: their files are left out')
    return null
  }
  const { openForeignBucket } = await import('@floe/storage/s3')
  const opened = openForeignBucket({
    ...(endpoint !== '' && { endpoint }),
    region: valueOf('region') || 'us-east-1',
    bucket,
    accessKey: valueOf('key'),
    secretKey: valueOf('secret'),
  })
  await opened.check().catch((error: unknown) => {
    opened.close()
    throw new SourceError(`the bucket ${bucket} in S3 cannot be read: ${causeOf(error)}`)
  })
  return {
    find: (shareId, name) => find(opened, valueOf('bucketPath'), `${shareId}/${name}`),
    close: () => opened.close(),
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}

/** The fork leaves out slashes around the path in the bucket, and the original does not. */
async function find(
  bucket: ForeignBucket,
  path: string,
  name: string,
): Promise<SourceContent | null> {
  const paths = new Set([path, path.replace(/^\/+|\/+$/g, '')])
  for (const one of paths) {
    const key = one === '' ? name : `${one}/${name}`
    const sizeBytes = await bucket.sizeOf(key)
    if (sizeBytes === null) continue
    return { sizeBytes, path: null, open: () => bucket.openReader(key, sizeBytes) }
  }
  return null
}
