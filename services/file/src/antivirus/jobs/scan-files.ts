import { jobs } from '@floe/contracts'
import { consume, type JobConsumer } from '@floe/runtime'
import type { Scanning } from '../domain/scanning.ts'

export function scanFiles(scanning: Scanning): JobConsumer[] {
  return [
    consume(jobs.scanShareFiles, ({ shareUid }, { signal }) =>
      scanning.scanShare(shareUid, signal),
    ),
    consume(jobs.scanWaitingFiles, (_payload, { signal }) => scanning.scanAll(signal)),
  ]
}
