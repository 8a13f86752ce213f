import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopiedText } from '../components/CopiedText.tsx'
import { Dialog } from '../components/Dialog.tsx'

/** Shows a secret the only time it is known. A press beside the dialog does not close it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={false} title={t('webhooks.made')}>
      <Stack gap="md">
        <Text size="sm">{t('webhooks.madeText')}</Text>
        <CopiedText
          label={t('webhooks.secret')}
          copyLabel={t('webhooks.copySecret')}
          text={secret}
        />
        <Button size="md" onClick={onClose}>
          {t('upload.completed.done')}
        </Button>
      </Stack>
    </Dialog>
  )
}
