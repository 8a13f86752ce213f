import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { visibleName } from '@floe/contracts'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../components/Panel.tsx'
import { type RowPlace, VirtualRows } from '../components/VirtualRows.tsx'
import { type Format, useFormat } from '../format/use-format.ts'
import type { UploadJob } from './upload-job.ts'
import classes from './UploadProgress.module.css'
import type { FileStatus, SessionSnapshot, UploadSession } from './upload-session.ts'
import { useUploadSnapshot } from './use-upload-job.ts'
import { useStrayDrops } from './use-window-drop.ts'

/** Of one that waits, as most of a long list do. */
const ROW_PX = 64

const keyOf = ({ key }: FileStatus) => key

const percentOf = (uploaded: number, size: number) =>
  size === 0 ? 100 : Math.min(100, (uploaded / size) * 100)

/** All files on their way: totals above, each file below. */
export function UploadProgress({ job, actions }: { job: UploadJob; actions?: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const snapshot = useUploadSnapshot(job)
  useStrayDrops()
  return (
    <Panel>
      <Totals snapshot={snapshot} session={job.session} actions={actions} />
      <VirtualRows
        as="ul"
        rows={snapshot.rows}
        keyOf={keyOf}
        estimatePx={ROW_PX}
        className={classes.list}
        aria-label={t('upload.progress.files')}
      >
        {(file, place) => (
          <FileRow file={file} session={job.session} t={t} format={format} {...place} />
        )}
      </VirtualRows>
    </Panel>
  )
}

function Totals({
  snapshot,
  session,
  actions,
}: {
  snapshot: SessionSnapshot
  session: UploadSession
  actions: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { isPaused, uploadedBytes, sizeBytes, bytesPerSecond, secondsLeft } = snapshot
  const percent = percentOf(uploadedBytes, sizeBytes)
  return (
    <div className={classes.totals}>
      <Group justify="space-between" gap="xs">
        <Text fw={650} size="lg">
          {t('upload.progress.title', { done: snapshot.doneCount, count: snapshot.fileCount })}
        </Text>
        <Group gap="xs">
          {!snapshot.isFinished && (
            <Button
              size="xs"
              variant="default"
              leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
              onClick={isPaused ? session.resumeAll : session.pauseAll}
            >
              {isPaused ? t('upload.progress.resumeAll') : t('upload.progress.pauseAll')}
            </Button>
          )}
          {actions}
        </Group>
      </Group>
      <Progress value={percent} size="lg" radius="xl" aria-label={t('upload.progress.total')} />
      <Group justify="space-between" gap="xs" className={classes.numbers}>
        <span>
          {t('upload.progress.bytes', {
            sent: format.size(uploadedBytes),
            total: format.size(sizeBytes),
          })}
        </span>
        <span>
          {bytesPerSecond !== null &&
            secondsLeft !== null &&
            t('upload.progress.pace', {
              speed: format.size(bytesPerSecond),
              time: format.seconds(secondsLeft),
            })}
        </span>
      </Group>
    </div>
  )
}

interface FileRowProps extends RowPlace {
  file: FileStatus
  session: UploadSession
  t: TFunction
  format: Format
}

/** Remembered: with every tick of an upload only the files that moved are drawn again. */
const FileRow = memo(function FileRow({ file, session, t, format, ...place }: FileRowProps) {
  const { key, state } = file
  const label = visibleName(file.label)
  const percent = percentOf(file.uploadedBytes, file.sizeBytes)
  const actions = {
    pause: {
      icon: IconPlayerPause,
      text: t('upload.file.pause', { name: label }),
      act: session.pause,
    },
    resume: {
      icon: IconPlayerPlay,
      text: t('upload.file.resume', { name: label }),
      act: session.resume,
    },
    retry: { icon: IconRefresh, text: t('upload.file.retry', { name: label }), act: session.retry },
    cancel: { icon: IconX, text: t('upload.file.cancel', { name: label }), act: session.cancel },
  }
  const offered = [
    ...(state === 'uploading' || state === 'retrying' ? [actions.pause] : []),
    ...(state === 'paused' ? [actions.resume] : []),
    ...(state === 'failed' ? [actions.retry] : []),
    ...(state === 'done' ? [] : [actions.cancel]),
  ]
  return (
    <li className={classes.row} data-state={state} {...place}>
      <div className={classes.name}>
        <Text size="sm" fw={500} truncate title={label}>
          <bdi>{label}</bdi>
        </Text>
        <Text size="xs" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {describe(file, { percent: Math.floor(percent), t, format })}
        </Text>
      </div>
      <div className={classes.actions}>
        {offered.map(({ icon: Icon, text, act }) => (
          <ActionIcon
            key={text}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={text}
            title={text}
            onClick={() => act(key)}
          >
            <Icon size={17} />
          </ActionIcon>
        ))}
        {state === 'done' && (
          <IconCircleCheck className={classes.done} size={22} aria-label={t('upload.state.done')} />
        )}
        {state === 'failed' && (
          <IconAlertTriangle className={classes.failed} size={20} aria-hidden />
        )}
      </div>
      {state !== 'done' && state !== 'waiting' && (
        <Progress
          className={classes.bar}
          value={percent}
          size={4}
          color={state === 'failed' ? 'red' : state === 'uploading' ? 'ice' : 'gray'}
          aria-label={t('upload.file.progress', { name: label })}
        />
      )}
    </li>
  )
})

function describe(
  { state, failure, sizeBytes, uploadedBytes, bytesPerSecond }: FileStatus,
  { percent, t, format }: { percent: number; t: TFunction; format: Format },
): string {
  const size = format.size(sizeBytes)
  if (state === 'failed') return t(`upload.failure.${failure ?? 'unknown'}`)
  if (state === 'waiting') return t('upload.state.waiting', { size })
  if (state === 'done') return size
  if (state === 'paused') return t('upload.state.paused', { percent, size })
  if (state === 'retrying') return t('upload.state.retrying', { percent, size })
  if (!bytesPerSecond) return t('upload.state.uploading', { percent, size })
  return t('upload.state.moving', {
    percent,
    size,
    speed: format.size(bytesPerSecond),
    time: format.seconds((sizeBytes - uploadedBytes) / bytesPerSecond),
  })
}
