import type { AdminPort, AuthPort, SharePort } from '@floe/contracts'
import type { FilePlatform } from '../platform.ts'
import { createQuotas } from '../quotas/domain/quotas.ts'
import { createStorageRoutes } from '../quotas/routes/storage-routes.ts'
import { unmetered } from '../transfers/domain/transfer-meter.ts'
import { createDiscard } from '../uploads/domain/discard-upload.ts'
import { createLeaseKeeper } from '../uploads/domain/lease-keeper.ts'
import { createSmallFiles } from '../uploads/domain/small-files.ts'
import { createUploadTargets } from '../uploads/domain/upload-targets.ts'
import { createUploads } from '../uploads/domain/uploads.ts'
import { expireUploads } from '../uploads/jobs/expire-uploads.ts'
import { createBatchRoute } from '../uploads/routes/batch-route.ts'
import { createChunkRoutes } from '../uploads/routes/chunk-routes.ts'
import { createDirectUploadRoutes } from '../uploads/routes/direct-upload-routes.ts'
import { createFormUploadRoute } from '../uploads/routes/form-upload-route.ts'
import { createResumableUploads } from '../uploads/routes/resumable/resumable-uploads.ts'
import { createTusRoutes } from '../uploads/routes/tus/upload-routes.ts'
import type { Stores } from './stores.ts'

/** Uploads by both protocols, and the limits they count against. */
export async function wireUploads(
  { presence, memory, clock, log, metrics: meter = unmetered }: FilePlatform,
  { bootId, objects, uploads: store, batches, files, segments, thumbnails, usage }: Stores,
  { auth, share, admin }: { auth: AuthPort; share: SharePort; admin: AdminPort },
) {
  const quotas = createQuotas({ auth, admin, usage, clock })
  const targets = createUploadTargets({ share, clock })
  const leases = await createLeaseKeeper({ store, presence })
  const discard = createDiscard({ store, leases, objects })
  const uploads = createUploads({ store, objects, leases, memory, targets, bootId, meter, clock })
  const smallFiles = createSmallFiles({ store, objects, targets, discard, log })
  const direct = {
    ...{ share, store, objects, uploads, targets, quotas, smallFiles, discard, meter, log },
  }
  const resumable = createResumableUploads({ ...direct, admin })
  return {
    discard,
    routes: [
      ...createTusRoutes({
        ...{ auth, share, admin, store, objects, files, segments, thumbnails, uploads, targets },
        ...{ quotas, discard, meter, log, smallFiles },
      }),
      createBatchRoute({ share, batches, objects, targets, quotas, discard, meter, log }),
      ...createDirectUploadRoutes({ ...direct, resumable }),
      ...resumable.routes,
      createFormUploadRoute(direct),
      ...createChunkRoutes({ share, admin, store, files, uploads, targets, quotas }),
      ...createStorageRoutes({ quotas, usage, auth }),
    ],
    consumers: [expireUploads({ store, discard })],
    stop: () => leases.stop(),
  }
}
