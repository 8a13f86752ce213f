import { Button, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { IconAdjustmentsHorizontal, IconLink, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import type { SessionSnapshot } from '../../../shared/upload/session-snapshot.ts'
import classes from './ShareBar.module.css'
import type { Submit } from './UploadHead.tsx'

interface ShareBarProps {
  snapshot: SessionSnapshot
  isEncrypted: boolean
  submit: Submit
  onShare: () => void
  /** Shares the link before everything is there, where that may be. */
  onShareNow: (() => void) | null
  /** Where the options do not stand beside the files. */
  options: { label: string; onOpen: () => void } | null
}

/** What is there, how far it is, and the button that shares it: always in sight. */
export function ShareBar(props: ShareBarProps) {
  const { snapshot, isEncrypted, submit, onShare, onShareNow, options } = props
  const { t } = useTranslation()
  const format = useFormat()
  const { fileCount, sizeBytes, uploadedBytes, isFinished } = snapshot
  const percent = sizeBytes === 0 ? 100 : (uploadedBytes / sizeBytes) * 100
  return (
    <div className={classes.bar}>
      <Progress
        className={classes.progress}
        value={isFinished ? 100 : percent}
        size={4}
        radius={0}
        aria-label={t('upload.progress.total')}
      />
      <div className={classes.content}>
        <div className={classes.text}>
          <div className={classes.total}>
            {isEncrypted && (
              <IconLock size={18} role="img" aria-label={t('upload.encryption.on')} />
            )}
            {t('upload.list.total', { count: fileCount, size: format.size(sizeBytes) })}
          </div>
          <div className={classes.state}>
            <State snapshot={snapshot} />
          </div>
        </div>
        {options && (
          <Button
            variant="default"
            size="md"
            leftSection={<IconAdjustmentsHorizontal size={18} />}
            onClick={options.onOpen}
          >
            {options.label}
          </Button>
        )}
        {onShareNow && !isFinished && (
          <Button
            className={classes.now ?? ''}
            variant="default"
            size="md"
            leftSection={<IconLink size={18} />}
            title={t('upload.early.hint')}
            onClick={onShareNow}
          >
            {t('upload.early.action')}
          </Button>
        )}
        <Button size="md" leftSection={submit.icon} aria-keyshortcuts="s" onClick={onShare}>
          {submit.label}
        </Button>
      </div>
    </div>
  )
}

function State({ snapshot }: { snapshot: SessionSnapshot }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { isFinished, uploadedBytes, sizeBytes, bytesPerSecond, secondsLeft } = snapshot
  if (isFinished) return t('upload.state.done')
  if (bytesPerSecond !== null && secondsLeft !== null) {
    const speed = format.size(bytesPerSecond)
    return t('upload.progress.pace', { speed, time: format.seconds(secondsLeft) })
  }
  return t('upload.progress.bytes', {
    sent: format.size(uploadedBytes),
    total: format.size(sizeBytes),
  })
}
