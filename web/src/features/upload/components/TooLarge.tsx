import { Alert } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { useUploadSnapshot } from '../../../shared/upload/use-upload-job.ts'

/** Says how much a share may hold, once the server refused a file for its size. */
export function TooLarge({ job, maxBytes }: { job: UploadJob; maxBytes: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { rows } = useUploadSnapshot(job)
  if (maxBytes === 0 || !rows.some(({ failure }) => failure === 'tooLarge')) return null
  return (
    <Alert color="red" role="alert">
      {t('upload.tooLarge', { maxSize: format.size(maxBytes) })}
    </Alert>
  )
}
