/**
 * A process of its own that takes one job and never finishes it, for tests that kill it. Says
 * `ready` once it consumes and `running` once it has the job.
 */
import { openQueueAt } from './open-queue.ts'
import { slowJob } from './test-jobs.ts'

const [kind, url, lockMs] = process.argv.slice(2)
if ((kind !== 'postgres' && kind !== 'redis') || !url) {
  throw new Error('usage: worker-process postgres|redis URL LOCK_MS')
}

const queue = await openQueueAt({ kind, url }, { lockMs: Number(lockMs) })
queue.consume([
  {
    job: slowJob,
    handle: () => {
      process.stdout.write('running\n')
      return new Promise(() => {})
    },
  },
])
process.stdout.write('ready\n')
