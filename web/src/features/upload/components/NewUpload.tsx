import { Stack } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifyError, notifySuccess, requestNotice } from '../../../shared/notify.ts'
import { useUndo } from '../../../shared/use-undo.ts'
import {
  addEntries,
  type FileEntry,
  toEntry,
  totalSize,
} from '../../../shared/upload/file-entry.ts'
import { FileDrop } from '../../../shared/upload/FileDrop.tsx'
import { findUnfinishedOf } from '../../../shared/upload/match-files.ts'
import { loadLater, TextFileDialog, UnfinishedUploads } from '../later.ts'
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
 * connection may be gone. Whoever needs it asks again, and tells of a failure.
 */
function useLoadedAhead(isDue: boolean) {
  useEffect(() => {
    const load = () => {
      requestNotice({ prepare: true })
      loadLater().catch(() => undefined)
    }
    if (isDue) load()
    const ends = new AbortController()
    for (const sign of SIGNS_OF_LIFE) {
      window.addEventListener(sign, load, { once: true, signal: ends.signal })
    }
    return () => ends.abort()
  }, [isDue])
}

/** Where files are chosen, up to the share that takes them. */
export function NewUpload(props: NewUploadProps) {
  const { heading, about, submit, hint, maxBytes, actions, reverseShare, dialog } = props
  const { leftBytes = null } = props
  const { t } = useTranslation()
  const [entries, setEntries] = useState<FileEntry[]>([])
  const [text, setText] = useState<string | null>(null)
  // Closing shows, so the dialog stays once it has been opened.
  const [creation, setCreation] = useState<'unasked' | 'opened' | 'closed'>('unasked')
  const format = useFormat()
  const unfinished = useUnfinished(reverseShare)
  const undo = useUndo()
  const { withdraw } = undo

  const add = useCallback(
    (added: FileEntry[]) => {
      const begun = entries.length === 0 ? findUnfinishedOf(unfinished, added) : null
      if (begun && added.length === begun.files.filter(({ isDone }) => !isDone).length) {
        notifySuccess(t('upload.unfinished.continuing'))
        void actions.resume(begun, added)
        return
      }
      const next = addEntries(entries, added)
      if (maxBytes > 0 && totalSize(next) > maxBytes) {
        notifyError(t('upload.tooLarge', { maxSize: format.size(maxBytes) }))
      } else if (leftBytes !== null && totalSize(next) > leftBytes) {
        notifyError(t('upload.storage.tooLittle', { left: format.size(leftBytes) }))
      } else {
        // Together with what was taken out it could be too much.
        withdraw()
        setEntries(next)
      }
    },
    [entries, unfinished, actions, maxBytes, leftBytes, format, t, withdraw],
  )

  function keep(kept: FileEntry[], message: string) {
    setEntries(kept)
    undo.offer(message, () => setEntries(entries))
  }

  useShared({ onFiles: add, onText: setText })

  const hasFiles = entries.length > 0
  useLoadedAhead(hasFiles)

  async function create() {
    try {
      await loadLater()
      setCreation('opened')
    } catch {
      notifyError(t('errors.serverUnreachable'))
    }
  }

  return (
    <Stack gap="lg">
      <div>
        <UploadHead
          heading={heading}
          submit={submit}
          disabled={!hasFiles}
          onSubmit={() => void create()}
        />
        {about}
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
      {hasFiles && (
        <ChosenFiles
          entries={entries}
          onRemove={({ key, name, relativePath }) =>
            keep(
              entries.filter((entry) => entry.key !== key),
              t('undo.removed', { name: visibleName(relativePath ?? name) }),
            )
          }
          onClear={() => keep([], t('undo.allRemoved'))}
        />
      )}
      <Suspense>
        {text !== null && (
          <TextFileDialog
            text={text}
            takenNames={entries.map(({ relativePath, name }) => relativePath ?? name)}
            onClose={() => setText(null)}
            onFile={(file) => add([toEntry(file)])}
          />
        )}
        {creation !== 'unasked' &&
          dialog({
            opened: creation === 'opened',
            onClose: () => setCreation('closed'),
            onCreated: (share) => void actions.begin(share, entries, reverseShare),
          })}
      </Suspense>
    </Stack>
  )
}
