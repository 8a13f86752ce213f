import { availableParallelism } from 'node:os'
import type { SharePort } from '@floe/contracts'
import { createArchivePlans } from '../archive/domain/archive-plans.ts'
import { createSegmentBuilds } from '../archive/domain/segment-builds.ts'
import { createSegmentStep } from '../archive/domain/segment-step.ts'
import { createDeflater } from '../archive/format/index.ts'
import { buildSegments } from '../archive/jobs/build-segments.ts'
import type { FileGate } from '../antivirus/domain/file-gate.ts'
import type { FilePlatform } from '../platform.ts'
import type { Stores } from './stores.ts'

/** libuv has four threads, and needs one for files and hashes as well. */
const MOST_DEFLATES = 3

/** The archive of a share, and the segments that it is made of. */
export function wireArchive(
  { objects, memory, clock, log }: FilePlatform,
  { files, segments }: Stores,
  { share, gate }: { share: SharePort; gate: FileGate },
) {
  const deflater = createDeflater({
    concurrency: Math.max(2, Math.min(availableParallelism(), MOST_DEFLATES)),
  })
  // Takes the unguarded objects: it removes only what it makes, often to begin it anew under the same
  // key.
  const step = createSegmentStep({ segments, objects, memory, deflater, log })
  const builds = createSegmentBuilds({ segments, step, log })
  return {
    plans: createArchivePlans({ files, gate, segments, clock }),
    consumers: [buildSegments({ files, segments, builds, share })],
  }
}
