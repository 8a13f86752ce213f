import { useSyncExternalStore } from 'react'
import type { UploadJob } from './upload-job.ts'

export function useJobStage(job: UploadJob) {
  return useSyncExternalStore(job.subscribe, job.getStage)
}

export function useUploadSnapshot({ session }: UploadJob) {
  return useSyncExternalStore(session.subscribe, session.getSnapshot)
}
