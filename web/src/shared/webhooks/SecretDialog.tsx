import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopiedText } from '../components/CopiedText.tsx'
import { OnceDialog } from '../leave/OnceDialog.tsx'

/** Shows a secret the only time it is known. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <OnceDialog onClose={onClose} title={t('webhooks.made')} warning={t('webhooks.madeText')}>
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
    </OnceDialog>
  )
}
