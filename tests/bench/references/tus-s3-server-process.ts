/** @tus/server with its S3 store, as its documentation shows it. */
import { S3Store } from '@tus/s3-store'
import { Server } from '@tus/server'

const {
  PORT,
  S3_ENDPOINT = '',
  S3_BUCKET = '',
  S3_ACCESS_KEY = '',
  S3_SECRET_KEY = '',
} = process.env

new Server({
  path: '/files',
  datastore: new S3Store({
    partSize: 8 * 2 ** 20,
    useTags: false,
    s3ClientConfig: {
      bucket: S3_BUCKET,
      region: 'us-east-1',
      endpoint: S3_ENDPOINT,
      forcePathStyle: true,
      credentials: { accessKeyId: S3_ACCESS_KEY, secretAccessKey: S3_SECRET_KEY },
    },
  }),
}).listen({ port: Number(PORT), host: '127.0.0.1' })
