import { Button, Group, Progress, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { visibleName } from '@floe/contracts'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../components/Panel.tsx'
import { RowButton } from '../components/RowButton.tsx'
import { type RowPlace, VirtualRows } from '../components/VirtualRows.tsx'
import { type Format, useFormat } from '../format/use-format.ts'
import type { UploadJob } from './upload-job.ts'
import classes from './UploadProgress.module.css'
import type { SessionSnapshot } from './session-snapshot.ts'
import type { FileState, FileStatus } from './upload-item.ts'
import type { UploadSession } from './upload-session.ts'
import { useUploadSnapshot } from './use-upload-job.ts'
import { useStrayDrops } from './use-window-drop.ts'

/** The height of a row that waits, as most rows of a long list do. */
const ROW_PX = 62
const TOUCH_ROW_PX = 65

const keyOf = ({ key }: FileStatus) => key

const percentOf = (uploaded: number, size: number) =>
  size === 0 ? 100 : Math.min(100, (uploaded / size) * 100)

/** All files on their way: totals above, each file below. */
export function UploadProgress({ job, actions }: { job: UploadJob; actions?: ReactNode }) {
  const snapshot = useUploadSnapshot(job)
  useStrayDrops()
  return (
    <Panel>
      <Totals snapshot={snapshot} session={job.session} actions={actions} />
      <UploadRows rows={snapshot.rows} session={job.session} />
    </Panel>
  )
}

interface UploadRowsProps {
  rows: readonly FileStatus[]
  session: UploadSession
  /** Offers to take out every file, also those that have arrived. */
  onRemove?: (key: string) => void
  /** Offers to edit texts. */
  onEdit?: (key: string) => void
}

/** Each file on its way, and what can be done with it. */
export function UploadRows({ rows, session, onRemove, onEdit }: UploadRowsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <VirtualRows
      as="ul"
      rows={rows}
      keyOf={keyOf}
      estimatePx={ROW_PX}
      touchPx={TOUCH_ROW_PX}
      className={classes.list}
      aria-label={t('upload.progress.files')}
    >
      {(file, place) => (
        <FileRow
          file={file}
          session={session}
          onRemove={onRemove}
          onEdit={onEdit}
          t={t}
          format={format}
          {...place}
        />
      )}
    </VirtualRows>
  )
}

/** Pauses or resumes every file. */
export function PauseAll({ session, isPaused }: { session: UploadSession; isPaused: boolean }) {
  const { t } = useTranslation()
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
      onClick={isPaused ? session.resumeAll : session.pauseAll}
    >
      {isPaused ? t('upload.progress.resumeAll') : t('upload.progress.pauseAll')}
    </Button>
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
          {!snapshot.isFinished && <PauseAll session={session} isPaused={isPaused} />}
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
  onRemove: ((key: string) => void) | undefined
  onEdit: ((key: string) => void) | undefined
  t: TFunction
  format: Format
}

/** Remembered: with every tick of an upload only the files that moved are drawn again. */
const FileRow = memo(function FileRow(props: FileRowProps) {
  const { file, session, onRemove, onEdit, t, format, ...place } = props
  const { key, state } = file
  const label = visibleName(file.label)
  const percent = percentOf(file.uploadedBytes, file.sizeBytes)
  const offered = offerFor(state)
  return (
    <li className={classes.row} data-state={state} {...place}>
      <div className={classes.name}>
        <div className={classes.label} title={label}>
          <bdi>{label}</bdi>
        </div>
        <div className={classes.state}>
          {describe(file, { percent: Math.floor(percent), t, format })}
        </div>
      </div>
      <div className={classes.actions}>
        {onEdit && file.isEditable && (
          <RowButton
            icon="edit"
            label={t('upload.text.edit', { name: label })}
            onClick={() => onEdit(key)}
          />
        )}
        {offered && (
          <RowButton
            icon={offered}
            label={t(`upload.file.${offered}`, { name: label })}
            onClick={() => session[offered](key)}
          />
        )}
        {state === 'done' && (
          <IconCircleCheck className={classes.done} size={22} aria-label={t('upload.state.done')} />
        )}
        {onRemove ? (
          <RowButton
            icon="remove"
            label={t('upload.list.remove', { name: label })}
            onClick={() => onRemove(key)}
          />
        ) : (
          state !== 'done' && (
            <RowButton
              icon="cancel"
              label={t('upload.file.cancel', { name: label })}
              onClick={() => session.cancel(key)}
            />
          )
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

function offerFor(state: FileState): 'pause' | 'resume' | 'retry' | null {
  if (state === 'comparing' || state === 'uploading' || state === 'retrying') return 'pause'
  if (state === 'paused') return 'resume'
  return state === 'failed' ? 'retry' : null
}

function describe(
  { state, failure, sizeBytes, uploadedBytes, bytesPerSecond }: FileStatus,
  { percent, t, format }: { percent: number; t: TFunction; format: Format },
): string {
  const size = format.size(sizeBytes)
  if (state === 'failed') return t(`upload.failure.${failure ?? 'unknown'}`)
  if (state === 'waiting') return t('upload.state.waiting', { size })
  if (state === 'done') return size
  if (state === 'paused') return t('upload.state.paused', { percent, size })
  if (state === 'comparing') return t('upload.state.comparing', { percent, size })
  if (state === 'retrying') return t('upload.state.retrying', { percent, size })
  if (!bytesPerSecond) return t('upload.state.uploading', { percent, size })
  return t('upload.state.moving', {
    percent,
    size,
    speed: format.size(bytesPerSecond),
    time: format.seconds((sizeBytes - uploadedBytes) / bytesPerSecond),
  })
}
