import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { reverseShareLink } from '../../../shared/share-link.ts'

/** The link to pass on, to copy or to scan. */
export function ReverseShareLinkDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const link = reverseShareLink({
    token,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  return (
    <Dialog opened onClose={onClose} title={t('reverseShares.link.title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('reverseShares.link.hint')}
        </Text>
        <CopyField label={t('reverseShares.link.label')} value={link} />
        <Group justify="center">
          <QrCode text={link} label={t('reverseShares.link.qrCode')} />
        </Group>
        <Button size="md" onClick={onClose}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </Dialog>
  )
}
