import { Button, Group, Stack } from '@mantine/core'
import { IconExternalLink, IconQrcode } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { shareLink } from '../../../shared/share-link.ts'

/** The link of a finished share, to copy, open or scan. */
export function FinishedLink({ shareId, expiry }: { shareId: string; expiry: ReactNode }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const [showsCode, setShowsCode] = useState(false)
  const link = shareLink({
    shareId,
    appUrl: settings['general.appUrl'],
    origin: window.location.origin,
  })
  return (
    <Stack gap="md">
      <CopyField label={t('share.link')} value={link} />
      {expiry}
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
    </Stack>
  )
}
