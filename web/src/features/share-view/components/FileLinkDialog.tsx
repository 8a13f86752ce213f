import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'

/** A file's link to copy by hand, where the browser keeps the clipboard shut. */
export function FileLinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened onClose={onClose} title={t('share.file.linkTitle')}>
      <CopyField label={t('share.file.link')} value={link} />
    </Dialog>
  )
}
