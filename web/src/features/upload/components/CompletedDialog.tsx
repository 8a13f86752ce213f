import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useSession } from '../../../shared/session/session.ts'
import { expiryOf, shareLink } from '../../../shared/share-link.ts'
import type { CompletedShare } from '../../../shared/upload/complete-share.ts'

/** The finished share: its link, to copy, open or scan. Closed by Done alone. */
export function CompletedDialog({
  receipt,
  onDone,
}: {
  receipt: CompletedShare
  onDone: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const [showsCode, setShowsCode] = useState(false)
  // Told only of what went through a reverse share.
  const isNotified = receipt.notifyReverseShareCreator
  const expiresAt = expiryOf(receipt.expiration)
  const link = shareLink({
    shareId: receipt.id,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  return (
    <Modal
      opened
      onClose={onDone}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={isNotified === undefined ? t('upload.completed.title') : t('send.done.title')}
    >
      <Stack gap="md">
        {isNotified !== undefined && (
          <Text size="sm">{isNotified ? t('send.done.notified') : t('send.done.text')}</Text>
        )}
        <CopyField label={t('share.link')} value={link} />
        <Text size="sm" c="dimmed">
          {expiresAt
            ? t('share.expiresOn', { date: format.date(expiresAt) })
            : t('share.neverExpires')}
        </Text>
        {showsCode && (
          <Group justify="center">
            <QrCode text={link} label={t('share.qrCode')} />
          </Group>
        )}
        <Group grow preventGrowOverflow={false} gap="xs">
          <Button
            variant="default"
            leftSection={<IconQrcode size={17} />}
            aria-expanded={showsCode}
            onClick={() => setShowsCode(!showsCode)}
          >
            {showsCode ? t('upload.completed.hideCode') : t('upload.completed.showCode')}
          </Button>
          <Button
            variant="default"
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={17} />}
          >
            {t('upload.completed.open')}
          </Button>
        </Group>
        <Button size="md" onClick={onDone}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </Modal>
  )
}
