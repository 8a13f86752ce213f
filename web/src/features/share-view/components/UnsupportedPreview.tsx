import { Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './PreviewDialog.module.css'

/** For files that no browser shows. */
export function UnsupportedPreview() {
  const { t } = useTranslation()
  return (
    <div className={classes.unsupported}>
      <IconEyeOff size={34} stroke={1.4} aria-hidden="true" />
      <Text fw={600}>{t('share.preview.unsupported')}</Text>
      <Text size="sm" c="dimmed">
        {t('share.preview.unsupportedHint')}
      </Text>
    </div>
  )
}
