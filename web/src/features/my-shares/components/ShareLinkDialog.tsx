import { Group, Stack } from '@mantine/core'
import type { OwnShare } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { useShareLink } from '../../../shared/share/use-share-link.ts'
import { KeyNote } from './KeyNote.tsx'

/** A share's link, to copy or to scan. */
export function ShareLinkDialog({ share, onClose }: { share: OwnShare; onClose: () => void }) {
  const { t } = useTranslation()
  const link = useShareLink(share.id)
  return (
    <Dialog opened onClose={onClose} title={t('myShares.linkTitle')}>
      <Stack gap="md">
        <CopyField label={t('share.link')} value={link} />
        <KeyNote share={share} />
        <Group justify="center">
          <QrCode text={link} label={t('share.qrCode')} />
        </Group>
      </Stack>
    </Dialog>
  )
}
