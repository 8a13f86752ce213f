import { useTranslation } from 'react-i18next'
import { CopyButton } from '../components/CopyButton.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { useFormat } from '../format/use-format.ts'
import classes from './FileDetailsDialog.module.css'

interface FileDetailsDialogProps {
  /** `sha256` in hexadecimal; null while it is being computed. */
  file: { name: string; sizeBytes: number; sha256: string | null }
  onClose: () => void
}

/** What proves that a download is the file that was sent. */
export function FileDetailsDialog({ file, onClose }: FileDetailsDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, sizeBytes, sha256 } = file
  const size = t('share.file.sizeInBytes', {
    count: sizeBytes,
    size: format.size(sizeBytes),
    bytes: format.count(sizeBytes),
  })
  return (
    <Dialog opened onClose={onClose} title={t('share.file.detailsTitle')}>
      <dl className={classes.details}>
        <dt>{t('share.file.name')}</dt>
        <dd>
          <bdi>{name}</bdi>
        </dd>
        <dt>{t('share.file.size')}</dt>
        <dd>
          <bdi>{size}</bdi>
        </dd>
        <dt>SHA-256</dt>
        {sha256 === null ? (
          <dd>{t('share.file.digestPending')}</dd>
        ) : (
          <dd className={classes.digest}>
            <code dir="ltr">{sha256}</code>
            <CopyButton label={t('share.file.copyDigest')} text={sha256} />
          </dd>
        )}
      </dl>
    </Dialog>
  )
}
