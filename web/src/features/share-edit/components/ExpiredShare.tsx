import { Alert, Group, Text } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { OwnShare } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { ReviveButton } from '../../../shared/share/ReviveButton.tsx'

/** Says why nobody else opens the share, and until when that can be changed. */
export function ExpiredShare({ share, until }: { share: OwnShare; until: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Alert
      color="yellow"
      role="status"
      title={t('myShares.kept.until', { date: format.date(new Date(until)) })}
    >
      <Group justify="space-between">
        <Text size="sm">{t('edit.kept')}</Text>
        <ReviveButton share={share} />
      </Group>
    </Alert>
  )
}
