import type { ReactNode } from 'react'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { useJobStage } from '../../../shared/upload/use-upload-job.ts'
import { ActiveUpload } from './ActiveUpload.tsx'
import { DraftUpload, type DraftUploadProps } from './DraftUpload.tsx'

interface RunningUploadProps extends Omit<DraftUploadProps, 'failure'> {
  /** Stands above it. */
  notice?: ReactNode
}

/**
 * A draft with what there is to decide about it, and behind that the way to its link. A draft that
 * belongs to another page is decided about there.
 */
export function RunningUpload({ notice, ...props }: RunningUploadProps) {
  const { job, actions, maxBytes, reverseShare } = props
  const stage = useJobStage(job)
  const isHere = job.reverseShare?.token === reverseShare?.token
  return stage.name === 'draft' && isHere ? (
    <PageColumn width="wide">
      {notice}
      <DraftUpload key={job.session.shareId} {...props} failure={stage.error} />
    </PageColumn>
  ) : (
    <PageColumn>
      {notice}
      <ActiveUpload job={job} actions={actions} maxBytes={maxBytes} />
    </PageColumn>
  )
}
