import type { SharePort } from '@floe/contracts'
import type { Thumbnailer } from '@floe/pictures'
import { hashShareFiles } from '../integrity/jobs/hash-share-files.ts'
import { reconcileObjects } from '../integrity/jobs/reconcile-objects.ts'
import { createObjectRegister } from '../integrity/stores/object-register-rows.ts'
import type { FilePlatform } from '../platform.ts'
import { deleteShareFiles } from '../removals/jobs/delete-share-files.ts'
import { purgeRemovedFiles } from '../removals/jobs/purge-removed-files.ts'
import type { Stores } from './stores.ts'

/** The jobs that remove what is gone, and keep rows and objects in agreement. */
export function wireIntegrity(
  { database, clock, log }: FilePlatform,
  { bootId, objects, files, segments, thumbnails, removals, usage }: Stores,
  { share, thumbnailer }: { share: SharePort; thumbnailer: Thumbnailer },
) {
  const register = createObjectRegister({ database, bootId })
  return {
    consumers: [
      deleteShareFiles({ files, segments, thumbnails, objects, removals, clock, log }),
      purgeRemovedFiles({ files, segments, thumbnails, objects, share, clock }),
      hashShareFiles({ files, objects, removals, log }),
      reconcileObjects({
        ...{ files, segments, thumbnails, thumbnailer, objects, register, removals, usage },
        ...{ share, clock, log },
      }),
    ],
  }
}
