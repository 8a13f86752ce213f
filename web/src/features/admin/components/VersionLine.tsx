import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../shared/session/session.ts'

/** Which version runs here. */
export function VersionLine() {
  const { t } = useTranslation()
  const { version } = useSession()
  return (
    <Text size="sm" c="dimmed" ta="center" mt="xl">
      {t('admin.version', { version })}
    </Text>
  )
}
