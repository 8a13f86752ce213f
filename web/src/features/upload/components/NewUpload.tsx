import { Stack } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError, requestNotice } from '../../../shared/notify.ts'
import { toEntry } from '../../../shared/upload/file-entry.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { loadLazy, TextFileDialog, UnfinishedUploads } from '../lazy.ts'
import { useChosenFiles } from '../use-chosen-files.ts'
import { useShared } from '../use-shared.ts'
import { useUnfinishedUploads } from '../use-unfinished.ts'
import type { UploadActions } from '../use-upload-actions.ts'
import { ChosenFiles } from './ChosenFiles.tsx'
import type { ShareDialogProps } from './CreateShareDialog.tsx'
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
  /** The link the share is sent through: only what was sent through it is offered again. */
  reverseShare?: string
  /** Asks for the share that takes the files. */
  dialog: (props: ShareDialogProps) => ReactNode
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
    if (isDue) load()
    const ends = new AbortController()
    for (const sign of SIGNS_OF_LIFE) {
      window.addEventListener(sign, load, { once: true, signal: ends.signal })
    }
    return () => ends.abort()
  }, [isDue])
}

/** Asks for the share that takes the files. Closing shows, so the dialog stays once it was opened. */
function useCreation() {
  const { t } = useTranslation()
  const [stage, setStage] = useState<'unasked' | 'opened' | 'closed'>('unasked')

  async function open() {
    try {
      await loadLazy()
      setStage('opened')
    } catch {
      notifyError(t('errors.serverUnreachable'))
    }
  }

  return {
    wasOpened: stage !== 'unasked',
    opened: stage === 'opened',
    open,
    close: () => setStage('closed'),
  }
}

/** Where files are chosen, up to the share that takes them. */
export function NewUpload(props: NewUploadProps) {
  const { submit, hint, actions, reverseShare, dialog } = props
  const { t } = useTranslation()
  const [text, setText] = useState<string | null>(null)
  const unfinished = useUnfinished(reverseShare)
  const { entries, add, remove, clear } = useChosenFiles({ ...props, unfinished })
  const creation = useCreation()
  useShared({ onFiles: add, onText: setText })
  const hasFiles = entries.length > 0
  useLoadedAhead(hasFiles)

  return (
    <Stack gap="lg">
      <div>
        <UploadHead
          heading={props.heading}
          submit={submit}
          disabled={!hasFiles}
          onSubmit={() => void creation.open()}
        />
        {props.about}
      </div>
      {unfinished.length > 0 && (
        <Suspense>
          <UnfinishedUploads
            uploads={unfinished}
            onContinue={(upload, chosen) => void actions.resume(upload, chosen)}
            onDiscard={(upload) => void actions.discard(upload)}
          />
        </Suspense>
      )}
      <FileDrop
        title={t('upload.drop.title')}
        hint={hint}
        compact={hasFiles}
        onFiles={add}
        onText={setText}
      />
      {hasFiles && <ChosenFiles entries={entries} onRemove={remove} onClear={clear} />}
      <Suspense>
        {text !== null && (
          <TextFileDialog
            text={text}
            takenNames={entries.map(({ relativePath, name }) => relativePath ?? name)}
            onClose={() => setText(null)}
            onFile={(file) => add([toEntry(file)])}
          />
        )}
        {creation.wasOpened &&
          dialog({
            opened: creation.opened,
            onClose: creation.close,
            onCreated: (share) => void actions.begin(share, entries, reverseShare),
          })}
      </Suspense>
    </Stack>
  )
}
