import { Alert, Button, Group, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useTranslation } from 'react-i18next'
import { useDiscardEdit } from '../use-discard-edit.ts'

/** An earlier edit of this share was not saved to its end. */
export function UnpublishedChanges({ shareId }: { shareId: string }) {
  const { t } = useTranslation()
  const discard = useDiscardEdit(shareId, () => undefined)
  return (
    <Alert color="yellow" role="status" title={t('edit.unpublished.title')}>
      <Group justify="space-between">
        <Text size="sm">{t('edit.unpublished.text')}</Text>
        <Button
          size="xs"
          variant="default"
          loading={discard.isPending}
          onClick={() => discard.mutate()}
        >
          {t('edit.discard.action')}
        </Button>
      </Group>
    </Alert>
  )
}
