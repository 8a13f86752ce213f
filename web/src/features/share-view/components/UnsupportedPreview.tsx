import { Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useLookOnce } from '../use-look-again.ts'
import classes from './PreviewDialog.module.css'

/** For files that no browser shows, or that are no longer there. */
export function UnsupportedPreview() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  useLookOnce(id)
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
