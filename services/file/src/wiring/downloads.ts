import type { SharePort } from '@floe/contracts'
import type { FileGate } from '../antivirus/domain/file-gate.ts'
import type { ArchivePlans } from '../archive/domain/archive-plans.ts'
import { createDownloadCounter } from '../downloads/domain/download-counter.ts'
import { createDownloadRecorder } from '../downloads/domain/download-recorder.ts'
import { createDownloadRoutes } from '../downloads/routes/download-routes.ts'
import { recordDownload } from '../downloads/stores/download-events.ts'
import type { FilePlatform } from '../platform.ts'
import { createTransferHolds } from '../transfers/domain/transfer-holds.ts'
import { unmetered } from '../transfers/domain/transfer-meter.ts'
import type { Stores } from './stores.ts'

/** Files, archives, thumbnails and digests on their way out. */
export function wireDownloads(
  { database, memory, clock, log, metrics: meter = unmetered }: FilePlatform,
  { files, segments, thumbnails, objects, removals, counts }: Stores,
  { share, plans, gate }: { share: SharePort; plans: ArchivePlans; gate: FileGate },
) {
  const transfers = createTransferHolds({ removals, log })
  const counter = createDownloadCounter({ counts, log, clock })
  const recorder = createDownloadRecorder({
    count: (downloaded) => counter.count(downloaded),
    record: (shareUid) => recordDownload(database, shareUid),
    log,
    clock,
  })
  return {
    counter,
    routes: createDownloadRoutes({
      ...{ share, files, segments, thumbnails, objects, plans, transfers, recorder },
      ...{ gate, memory, meter },
    }),
    stop: async () => {
      await Promise.all([transfers.stop(), counter.stop()])
    },
  }
}
