import { Alert, Button, Group, Stack } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { LeaveDialog } from '../../../shared/components/LeaveDialog.tsx'
import { requestNotice } from '../../../shared/notify.ts'
import { whenIdle } from '../../../shared/prefetch.ts'
import { loadLazy, UnfinishedUploads } from '../lazy.ts'
import type { DraftEncryption } from '../draft-actions.ts'
import { type BeginDraftOptions, useBeginDraft } from '../use-begin-draft.ts'
import { useChosenFiles } from '../use-chosen-files.ts'
import { useUnfinishedUploads } from '../use-unfinished.ts'
import type { UploadActions } from '../use-upload-actions.ts'
import { ChosenFiles } from './ChosenFiles.tsx'
import { FileIntake } from './FileIntake.tsx'
import { UploadHead, type UploadHeadProps } from './UploadHead.tsx'

interface NewUploadProps {
  heading: string
  /** Stands under the heading. */
  about?: ReactNode
  submit: UploadHeadProps['submit']
  /** Stands where files are dropped. */
  hint: string
  /** Bytes a share may hold; 0 is no limit. */
  maxBytes: number
  /** What may still be stored; null is no limit, or unknown. */
  leftBytes?: number | null
  actions: UploadActions
  /** The token of the link the files are sent through: only what was sent so is offered again. */
  reverseShare?: string
  /** What is decided before files are chosen; gone once they are. */
  choices?: ReactNode
  /** What they are encrypted with. */
  encryption: DraftEncryption | null
  /** Files wait here for as long as something else is asked first. */
  isWaiting?: boolean
}

function useUnfinished(reverseShare: string | undefined) {
  const { data } = useUnfinishedUploads({ enabled: true })
  return useMemo(
    () =>
      (data ?? []).filter(
        (upload) => reverseShare === undefined || upload.reverseShare === reverseShare,
      ),
    [data, reverseShare],
  )
}

const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'dragenter'] as const

/**
 * Loads what uploading takes as soon as somebody touches the page: by the time it is needed the
 * connection may be gone. A failure is told later, when it is needed and asked for again.
 */
function useLoadedAhead(isDue: boolean) {
  useEffect(() => {
    const load = () => {
      requestNotice({ prepare: true })
      loadLazy().catch(() => undefined)
    }
    const loadSoon = () => whenIdle(load)
    if (isDue) load()
    const ends = new AbortController()
    for (const sign of SIGNS_OF_LIFE) {
      window.addEventListener(sign, loadSoon, { once: true, signal: ends.signal })
    }
    return () => ends.abort()
  }, [isDue])
}

/** Where files are chosen, up to the draft that takes them. */
export function NewUpload(props: NewUploadProps) {
  const { heading, submit, about, hint, actions, reverseShare, isWaiting = false } = props
  const { choices, encryption } = props
  const { t } = useTranslation()
  const unfinished = useUnfinished(reverseShare)
  const { entries, add, remove, clear } = useChosenFiles({ ...props, unfinished })
  const hasFiles = entries.length > 0
  useLoadedAhead(hasFiles)

  return (
    <Stack gap="lg">
      <div>
        <UploadHead heading={heading} submit={submit} />
        {about}
      </div>
      {unfinished.length > 0 && (
        <Suspense>
          <UnfinishedUploads
            uploads={unfinished}
            onContinue={actions.resume}
            onDiscard={(upload) => void actions.discard(upload)}
          />
        </Suspense>
      )}
      <FileIntake
        hint={hint}
        compact={hasFiles}
        takesText={!hasFiles}
        takenNames={() => entries.map(({ relativePath, name }) => relativePath ?? name)}
        onFiles={add}
      />
      {!hasFiles && choices}
      {hasFiles && !isWaiting && (
        <DraftBeginning
          entries={entries}
          reverseShare={reverseShare ?? null}
          encryption={encryption}
          actions={actions}
        />
      )}
      {hasFiles && <ChosenFiles entries={entries} onRemove={remove} onClear={clear} />}
      <LeaveDialog
        isNeeded={hasFiles}
        title={t('send.leave.title')}
        text={t('send.leave.text')}
        action={t('send.leave.action')}
      />
    </Stack>
  )
}

/** Shows only why a draft cannot begin; once it has, the page is another. */
function DraftBeginning(props: BeginDraftOptions) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const { error, tryAgain } = useBeginDraft(props)
  if (error === null) return null
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between">
        {errorMessage(error)}
        <Button size="xs" onClick={tryAgain}>
          {t('common.tryAgain')}
        </Button>
      </Group>
    </Alert>
  )
}
