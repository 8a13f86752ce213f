import { Progress, Text, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import type { ComingFiles, ShareView } from '@floe/contracts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { quarterOf, wholePercent } from '../../../shared/upload/upload-percent.ts'
import classes from './ComingPanel.module.css'

const STALLED_MS = 60_000
/** Of more files a screen reader hears about each quarter only. */
const FEW_FILES = 20

interface ComingPanelProps {
  share: ShareView
  coming: ComingFiles
  /** A download begins once all is there. */
  isAwaited: boolean
}

/** How much of a share has arrived, while the rest is uploaded. */
export function ComingPanel({ share, coming, isAwaited }: ComingPanelProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const done = share.files.length
  const count = done + coming.fileCount
  const uploadedBytes = share.size + coming.received
  const sizeBytes = share.size + coming.size
  const percent = wholePercent({ uploadedBytes, sizeBytes })
  const isStalled = useIsStalled(uploadedBytes)
  const title = t('share.coming.title', { done, count })
  const unlisted = coming.fileCount - coming.files.length
  const hint = isStalled
    ? t('share.coming.stalled')
    : isAwaited
      ? t('share.coming.autoStart')
      : coming.fileCount > 0 && t('share.coming.hint')
  const quarter = quarterOf(percent)
  const said = count <= FEW_FILES ? title : quarter > 0 && format.percent(quarter / 100)
  return (
    <Panel p="md">
      <div className={classes.head}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Text size="sm" c="dimmed" className={classes.bytes}>
          {t('share.coming.bytes', {
            sent: format.size(uploadedBytes),
            total: format.size(sizeBytes),
          })}
        </Text>
      </div>
      <Progress
        value={percent}
        size="sm"
        radius="xl"
        aria-label={t('share.coming.total')}
        className={classes.bar ?? ''}
      />
      <Text size="sm" c="dimmed">
        {hint}
        {unlisted > 0 && ` ${t('share.coming.more', { count: unlisted })}.`}
      </Text>
      <VisuallyHidden role="status">{isStalled ? t('share.coming.stalled') : said}</VisuallyHidden>
    </Panel>
  )
}

/** Nothing has come for so long that the sender may be away. */
function useIsStalled(received: number): boolean {
  const [stalledAt, setStalledAt] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setStalledAt(received), STALLED_MS)
    return () => clearTimeout(timer)
  }, [received])
  return stalledAt === received
}
