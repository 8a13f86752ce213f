import type { Mailer } from '@floe/mail'
import type { Metrics } from './metrics.ts'
import type { JobConsumer } from '@floe/runtime'

export function meterMailer(mailer: Mailer, metrics: Pick<Metrics, 'mailEnds'>): Mailer {
  return {
    send: async (smtp, message, options) => {
      try {
        const accepted = await mailer.send(smtp, message, options)
        metrics.mailEnds('sent')
        return accepted
      } catch (error) {
        metrics.mailEnds('failed')
        throw error
      }
    },
  }
}

/** A run that ends because the process stops has neither failed nor come to its end. */
export function meterJobs(
  { job, handle }: JobConsumer,
  metrics: Pick<Metrics, 'jobStarts'>,
): JobConsumer {
  return {
    job,
    handle: async (payload, run) => {
      const end = metrics.jobStarts(job.name)
      try {
        await handle(payload, run)
        end('completed')
      } catch (error) {
        end(run.signal.aborted ? 'interrupted' : 'failed')
        throw error
      }
    },
  }
}
