import { Text } from '@mantine/core'
import type { OwnShare } from '@floe/contracts'
import { useTranslation } from 'react-i18next'

/**
 * The server knows no key, so its links to encrypted shares have none. What was sent through a reverse
 * share has one for its receiver alone.
 */
export function KeyNote({ share }: { share: OwnShare }) {
  const { t } = useTranslation()
  if (!share.encrypted) return null
  return (
    <Text size="sm" c="dimmed">
      {t(share.reverseShare ? 'send.limits.encrypted' : 'upload.encryption.linkWithoutKey')}
    </Text>
  )
}
