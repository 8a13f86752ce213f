import { defineService } from '@floe/runtime'

import { startWorker, type WorkerOptions } from './start-worker.ts'

export {
  assertOneConsumerEach,
  startWorker,
  type Worker,
  type WorkerOptions,
} from './start-worker.ts'

/** What the composer lends the worker; the consumers are those of the services it has built. */
export type WorkerPlatform = WorkerOptions

/** Hosts every consumer and schedule; serves no request and offers no port. */
export const workerService = defineService({
  name: 'worker',
  paths: [],
  needs: [],
  create: async ({ platform }: { platform: WorkerPlatform }) => {
    const { stop } = await startWorker(platform)
    return { routes: [], consumers: [], port: null, stop }
  },
})
