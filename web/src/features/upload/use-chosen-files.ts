import { visibleName } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { notifyError, notifySuccess } from '../../shared/notify.ts'
import { type FileEntry, totalSize } from '../../shared/upload/file-entry.ts'
import { findUnfinishedOf, type Unfinished } from '../../shared/upload/match-files.ts'
import { useAddEntries } from '../../shared/upload/use-add-entries.ts'
import { useHandler } from '../../shared/use-handler.ts'
import { useUndo } from '../../shared/use-undo.ts'
import type { UploadActions } from './use-upload-actions.ts'

interface ChosenFilesOptions {
  /** Uploads that were cut off: choosing exactly their files again continues them. */
  unfinished: readonly Unfinished[]
  /** Bytes a share may hold; 0 is no limit. */
  maxBytes: number
  /** What may still be stored; null is no limit, or unknown. */
  leftBytes?: number | null
  actions: UploadActions
}

/** The files of a share that is still to be created. */
export function useChosenFiles({
  unfinished,
  maxBytes,
  leftBytes = null,
  actions,
}: ChosenFilesOptions) {
  const { t } = useTranslation()
  const format = useFormat()
  const { offer, withdraw } = useUndo()
  const addEntries = useAddEntries()
  const [entries, setEntries] = useState<FileEntry[]>([])

  function add(added: FileEntry[]) {
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
  }

  function keep(kept: FileEntry[], message: string) {
    setEntries(kept)
    offer(message, () => setEntries(entries))
  }

  const remove = ({ key, name, relativePath }: FileEntry) =>
    keep(
      entries.filter((entry) => entry.key !== key),
      t('undo.removed', { name: visibleName(relativePath ?? name) }),
    )
  const clear = () => keep([], t('undo.allRemoved'))
  return { entries, add: useHandler(add), remove: useHandler(remove), clear: useHandler(clear) }
}
