import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type RunningFloe, startFloe } from '@floe/testing'
import type { SplitStorage } from './split-storage.ts'

export interface ArrangedFloe {
  floe: RunningFloe
  /** What lies below, with the keys of the objects as names. */
  objectsDirectory: string
  /** For commands that look at its data. */
  environment: { DATA_DIR: string } & Record<string, string>
}

export interface Arranging {
  environment?: Readonly<Record<string, string>> | undefined
  /** Gets all that its processes print. */
  onOutput?: ((chunk: Buffer) => void) | undefined
  /** Where the run has one, a Floe is split and keeps its objects there. */
  storage?: SplitStorage | undefined
  /** A data directory of one process to begin with a copy of. */
  template?: string | undefined
}

/** One process that has everything, or two of each service with their objects in a bucket. */
export async function startArrangedFloe({
  environment = {},
  onOutput,
  storage,
  template,
}: Arranging = {}): Promise<ArrangedFloe> {
  if (storage === undefined) {
    const floe = await startFloe({ arrangement: 'embedded', environment, onOutput, template })
    return {
      floe,
      objectsDirectory: join(floe.dataDirectory, 'objects'),
      environment: { DATA_DIR: floe.dataDirectory },
    }
  }
  const bucket = `floe-${randomBytes(6).toString('hex')}`
  const objects = {
    S3_ENDPOINT: storage.endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY: storage.accessKey,
    S3_SECRET_KEY: storage.secretKey,
  }
  const floe = await startFloe({
    arrangement: 'split',
    environment: { FLOE_SPLIT_REPLICAS: '2', ...objects, ...environment },
    onOutput,
  })
  return {
    floe,
    objectsDirectory: join(storage.directory, bucket, 'objects'),
    environment: { DATA_DIR: floe.dataDirectory, ...objects },
  }
}
