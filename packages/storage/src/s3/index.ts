export { type ForeignBucket, openForeignBucket } from './foreign-bucket.ts'
export { s3Migrations } from './migrations.ts'
export { createS3Store, type S3Store, type S3StoreOptions } from './s3-store.ts'
