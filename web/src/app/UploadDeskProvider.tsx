import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { UploadDeskContext } from '../shared/upload/upload-desk.ts'
import type { UploadJob } from '../shared/upload/upload-job.ts'

/** Holds the upload under way, whatever page is shown. */
export function UploadDeskProvider({ children }: { children: ReactNode }) {
  const [job, setJob] = useState<UploadJob | null>(null)
  const desk = useMemo(() => ({ job, put: setJob }), [job])
  return (
    <UploadDeskContext value={desk}>
      {job && <LeaveWarning job={job} />}
      {children}
    </UploadDeskContext>
  )
}

/** Asks before the tab closes while bytes are on their way. */
function LeaveWarning({ job }: { job: UploadJob }) {
  const { name } = useSyncExternalStore(job.subscribe, job.getStage)
  const isBusy = name === 'uploading' || name === 'finishing'
  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])
  return null
}
