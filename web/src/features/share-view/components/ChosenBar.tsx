import { Button, Text } from '@mantine/core'
import type { ShareView } from '@floe/contracts'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useDownloadChosen } from '../use-download-chosen.ts'
import classes from './ChosenBar.module.css'

interface ChosenBarProps {
  share: ShareView
  chosen: ReadonlySet<string>
  onStop: () => void
}

/** What was chosen so far and what becomes of it; stays in sight in a long list. */
export function ChosenBar({ share, chosen, onStop }: ChosenBarProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const download = useDownloadChosen(share, onStop)
  // Those that are still there: the share may have been edited meanwhile.
  const files = share.files.filter(({ id }) => chosen.has(id))
  const count = files.length
  const sizeBytes = files.reduce((sum, { size }) => sum + Number(size), 0)
  return (
    <div className={classes.bar}>
      <Text size="sm" role="status" className={classes.summary ?? ''}>
        {t('share.summary', { count, size: format.size(sizeBytes) })}
      </Text>
      <Button variant="default" onClick={onStop}>
        {t('common.cancel')}
      </Button>
      <Button
        leftSection={<IconDownload size={18} />}
        disabled={count === 0}
        loading={download.isPending}
        onClick={() => download.mutate(files.map(({ id }) => id))}
      >
        {t('share.choose.download', { count })}
      </Button>
    </div>
  )
}
