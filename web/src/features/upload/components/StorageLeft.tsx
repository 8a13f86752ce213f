import { Progress, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import type { StorageStatus } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import classes from './StorageLeft.module.css'

const NEARLY_FULL_PERCENT = 90

/** How much may still be sent; nothing where there is no limit. */
export function StorageLeft({ storage }: { storage: StorageStatus }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { usedBytes, limitBytes, leftBytes } = storage
  if (leftBytes === null) return null
  const usedPercent = limitBytes === null ? null : Math.min(100, (usedBytes / limitBytes) * 100)
  return (
    <div className={classes.left}>
      <Text size="sm" c="dimmed">
        {limitBytes === null
          ? t('upload.storage.left', { left: format.size(leftBytes) })
          : t('upload.storage.leftOf', {
              left: format.size(leftBytes),
              limit: format.size(limitBytes),
            })}
      </Text>
      {usedPercent !== null && (
        <Progress
          value={usedPercent}
          size="sm"
          {...(usedPercent > NEARLY_FULL_PERCENT && { color: 'red' })}
          aria-label={t('upload.storage.meter')}
        />
      )}
    </div>
  )
}
