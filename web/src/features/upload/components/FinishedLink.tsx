import { Button, Group, Stack } from '@mantine/core'
import { IconExternalLink, IconQrcode, IconShare2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { LargeCopyButton } from '../../../shared/components/CopyButton.tsx'
import { CopyField } from '../../../shared/components/CopyField.tsx'
import { QrCode } from '../../../shared/components/QrCode.tsx'
import { notifyError } from '../../../shared/notify.ts'

/** The link of a finished share, to copy, pass on, open or scan. */
export function FinishedLink({ link, expiry }: { link: string; expiry: ReactNode }) {
  const { t } = useTranslation()
  const [showsCode, setShowsCode] = useState(false)
  return (
    <Stack gap="md">
      <Stack gap="xs">
        <CopyField label={t('share.link')} value={link} hasButton={false} />
        <LargeCopyButton label={t('common.copyLink')} text={link} />
      </Stack>
      {expiry}
      {showsCode && (
        <Group justify="center">
          <QrCode text={link} label={t('share.qrCode')} />
        </Group>
      )}
      <Group grow preventGrowOverflow={false} gap="xs">
        <SheetButton link={link} />
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

/** Hands the link to other programs of the device, where its browser can. */
function SheetButton({ link }: { link: string }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  // Browsers have it on secure pages only.
  if (typeof navigator.share !== 'function') return null
  const send = async () => {
    try {
      await navigator.share({ url: link })
    } catch (error) {
      // The person closed the sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) {
        notifyError(errorMessage(error))
      }
    }
  }
  return (
    <Button variant="default" leftSection={<IconShare2 size={17} />} onClick={() => void send()}>
      {t('upload.completed.send')}
    </Button>
  )
}
