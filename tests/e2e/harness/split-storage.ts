import { reserveMinioServer } from '@floe/testing'
import type { TestProject } from 'vitest/node'

/** An S3 server that every Floe of a run shares, each with a bucket of its own. */
export interface SplitStorage {
  endpoint: string
  accessKey: string
  secretKey: string
  /** `<bucket>/<key>` in it is a folder for each object. */
  directory: string
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Only where journeys run on the split arrangement. */
    splitStorage?: SplitStorage
  }
}

/** Makes the journeys of this run start the split arrangement. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const minio = await reserveMinioServer()
  await minio.start()
  const { endpoint, accessKey, secretKey, directory } = minio
  project.provide('splitStorage', { endpoint, accessKey, secretKey, directory })
  return () => minio.remove()
}
