import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useMediaQuery } from '@mantine/hooks'
import type { ReverseShareView } from '@floe/contracts'
import { memo, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useSession } from '../../../shared/session/session.ts'
import { toEditedFile, withContent } from '../../../shared/text-file/text-file.ts'
import type { FileEntry } from '../../../shared/upload/file-entry.ts'
import type { SessionSnapshot } from '../../../shared/upload/session-snapshot.ts'
import type { UploadJob } from '../../../shared/upload/upload-job.ts'
import { PauseAll, UploadRows } from '../../../shared/upload/UploadProgress.tsx'
import { useUploadSnapshot } from '../../../shared/upload/use-upload-job.ts'
import { EditTextDialog } from '../lazy.ts'
import { type DraftFilesOptions, useDraftFiles } from '../use-draft-files.ts'
import { type DraftForm as Draft, useDraftForm } from '../use-draft-form.ts'
import { DraftForm } from './DraftForm.tsx'
import classes from './DraftUpload.module.css'
import { FileIntake } from './FileIntake.tsx'
import { SendForm } from './SendForm.tsx'
import { ShareBar } from './ShareBar.tsx'
import { TooLarge } from './TooLarge.tsx'
import type { Submit } from './UploadHead.tsx'

export interface DraftUploadProps extends DraftFilesOptions {
  /** Why the last attempt to share it failed. */
  failure: unknown
  heading: string
  submit: Submit
  /** The link that the files are sent through. */
  reverseShare?: ReverseShareView | undefined
  /** Stands under the heading. */
  about: ReactNode
  /** Stands where files are dropped. */
  hint: string
}

/** Files that are sent while the rest of their share is filled in. */
export function DraftUpload(props: DraftUploadProps) {
  const { job, failure, heading, submit, reverseShare, about, hint, maxBytes } = props
  const { t } = useTranslation()
  const snapshot = useUploadSnapshot(job)
  const draft = useDraftForm({ job, failure, reverseShare })
  const { add, replace, remove, clear } = useDraftFiles(props)
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  const { settings } = useSession()
  const [isSheetOpen, setIsSheetOpen] = useState(
    isNarrow && (failure !== null || settings['share.autoOpenShareModal']),
  )
  const { session } = job
  const takenNames = useCallback(
    () => session.entries().map(({ relativePath, name }) => relativePath ?? name),
    [session],
  )
  const hasFiles = snapshot.fileCount > 0
  const openSheet = () => setIsSheetOpen(true)
  const share = () => draft.share(openSheet)
  const optionsLabel = reverseShare ? t('send.details') : t('upload.create.options')

  return (
    <Stack gap="lg">
      <div>
        <Title order={1} size="h2" className={classes.heading}>
          <bdi>{heading}</bdi>
        </Title>
        {about}
      </div>
      {draft.error !== null && <Refusal text={draft.error} />}
      <TooLarge job={job} maxBytes={maxBytes} />
      <div className={classes.columns}>
        <Stack gap="lg" className={classes.files}>
          <FileIntake hint={hint} compact={hasFiles} takenNames={takenNames} onFiles={add} />
          {hasFiles && (
            <DraftFiles
              job={job}
              snapshot={snapshot}
              onReplace={replace}
              onRemove={remove}
              onClear={clear}
            />
          )}
        </Stack>
        {hasFiles && !isNarrow && <OptionsPanel draft={draft} />}
      </div>
      {hasFiles && (
        <ShareBar
          snapshot={snapshot}
          isEncrypted={job.encryption !== null}
          submit={submit}
          onShare={share}
          onShareNow={reverseShare || job.encryption ? null : () => draft.shareNow(openSheet)}
          options={isNarrow ? { label: optionsLabel, onOpen: openSheet } : null}
        />
      )}
      {isNarrow && isSheetOpen && (
        <OptionsSheet draft={draft} onClose={() => setIsSheetOpen(false)} onSend={share} />
      )}
    </Stack>
  )
}

/** Why it is not shared. It comes with the page anew, without what was pressed. */
function Refusal({ text }: { text: string }) {
  const { t } = useTranslation()
  const alert = useRef<HTMLDivElement>(null)
  useEffect(() => alert.current?.focus(), [])
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" title={t('upload.finishFailed')}>
      {text}
    </Alert>
  )
}

interface DraftFilesProps {
  job: UploadJob
  snapshot: SessionSnapshot
  onReplace: (before: FileEntry, after: FileEntry) => void
  onRemove: (key: string) => void
  onClear: () => void
}

/** Remembered: it stays as it is while somebody types. */
const DraftFiles = memo(function DraftFiles(props: DraftFilesProps) {
  const { job, snapshot, onReplace, onRemove, onClear } = props
  const { session } = job
  const [edited, setEdited] = useState<FileEntry | null>(null)
  const edit = useCallback(
    (key: string) => setEdited(session.entries().find((entry) => entry.key === key) ?? null),
    [session],
  )
  const { t } = useTranslation()
  const { rows, doneCount, fileCount, isFinished, isPaused } = snapshot
  return (
    <Panel>
      <Group justify="space-between" gap="xs" className={classes.head}>
        <Text fw={600} size="sm" flex="1 1 140px">
          {t('upload.progress.title', { done: doneCount, count: fileCount })}
        </Text>
        <Group gap="xs">
          {!isFinished && <PauseAll session={session} isPaused={isPaused} />}
          {rows.length > 1 && (
            <Button variant="subtle" color="gray" size="xs" onClick={onClear}>
              {t('upload.list.clear')}
            </Button>
          )}
        </Group>
      </Group>
      <UploadRows rows={rows} session={session} onEdit={edit} onRemove={onRemove} />
      <Suspense>
        {edited && (
          <EditTextDialog
            file={toEditedFile(edited)}
            onContent={(content) => onReplace(edited, withContent(edited, content))}
            onClose={() => setEdited(null)}
          />
        )}
      </Suspense>
    </Panel>
  )
})

/** What is asked about the share, which is less where it is sent through a link. */
function Options({ draft }: { draft: Draft }) {
  const { reverseShare } = draft
  return reverseShare ? (
    <SendForm draft={draft} reverseShare={reverseShare} />
  ) : (
    <DraftForm draft={draft} />
  )
}

function useOptionsTitle({ reverseShare }: Draft): string {
  const { t } = useTranslation()
  return reverseShare ? t('send.title') : t('upload.create.title')
}

function OptionsPanel({ draft }: { draft: Draft }) {
  const title = useOptionsTitle(draft)
  return (
    <section aria-label={title}>
      <Panel p="lg">
        <Options draft={draft} />
      </Panel>
    </section>
  )
}

interface OptionsSheetProps {
  draft: Draft
  onClose: () => void
  onSend: () => void
}

/** Sending is what is left to do, while a share may get more files. */
function OptionsSheet({ draft, onClose, onSend }: OptionsSheetProps) {
  const { t } = useTranslation()
  const title = useOptionsTitle(draft)
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack gap="md">
        <Options draft={draft} />
        <Button size="md" onClick={draft.reverseShare ? onSend : onClose}>
          {draft.reverseShare ? t('send.submit') : t('upload.completed.done')}
        </Button>
      </Stack>
    </Dialog>
  )
}
