import {
  type ComponentType,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { TitleContext } from '../shared/title.ts'
import { UploadDeskContext } from '../shared/upload/upload-desk.ts'
import type { UploadJob } from '../shared/upload/upload-job.ts'
import type { UploadWatchProps } from '../shared/upload/UploadWatch.tsx'

/** Holds the upload under way, whatever page is shown. */
export function UploadDeskProvider({ children }: { children: ReactNode }) {
  const [job, setJob] = useState<UploadJob | null>(null)
  const [title, setTitle] = useState<string | null>(null)
  const Watch = useWatch(job)
  const desk = useMemo(
    () => ({
      job,
      // What shows it may still have to come: the page before stays until then.
      put: (next: UploadJob | null) => startTransition(() => setJob(next)),
    }),
    [job],
  )
  return (
    <UploadDeskContext value={desk}>
      <TitleContext value={title}>
        {job && Watch && <Watch key={job.session.shareId} job={job} onTitle={setTitle} />}
        {children}
      </TitleContext>
    </UploadDeskContext>
  )
}

/** What tells of an upload, fetched with the first one. Without it the upload runs all the same. */
function useWatch(job: UploadJob | null): ComponentType<UploadWatchProps> | null {
  const [Watch, setWatch] = useState<ComponentType<UploadWatchProps> | null>(null)
  useEffect(() => {
    if (!job) return
    import('../shared/upload/UploadWatch.tsx').then(
      ({ UploadWatch }) => setWatch(() => UploadWatch),
      () => undefined,
    )
  }, [job])
  return Watch
}
