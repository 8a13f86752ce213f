import { Button, Loader, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useTranslation } from 'react-i18next'
import classes from './PreparingArchive.module.css'

interface PreparingArchiveProps {
  /** From 0 to 1, as far as it is known. */
  progress: number | null
  onClick: () => void
}

/** In the place of Download all until the archive is ready. */
export function PreparingArchive({ progress, onClick }: PreparingArchiveProps) {
  const { t } = useTranslation()
  // The last part is never shown as done: what follows is the button that downloads.
  const percent = progress === null ? null : Math.min(99, Math.floor(progress * 100))
  return (
    <div className={classes.preparing}>
      <Button
        variant="default"
        fullWidth
        leftSection={<Loader size={16} />}
        title={t('share.preparing')}
        onClick={onClick}
      >
        {percent === null ? t('share.preparingArchive') : t('share.preparingPercent', { percent })}
      </Button>
      {percent !== null && (
        <Progress
          className={classes.bar ?? ''}
          value={percent}
          size={4}
          radius="xl"
          aria-label={t('share.preparingArchive')}
        />
      )}
    </div>
  )
}
