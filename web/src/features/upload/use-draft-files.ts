import { visibleName } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { notifyError } from '../../shared/notify.ts'
import { type FileEntry, totalSize } from '../../shared/upload/file-entry.ts'
import { useAddEntries } from '../../shared/upload/use-add-entries.ts'
import type { UploadJob } from '../../shared/upload/upload-job.ts'
import { useHandler } from '../../shared/use-handler.ts'
import { useUndo } from '../../shared/use-undo.ts'
import type { UploadActions } from './use-upload-actions.ts'

export interface DraftFilesOptions {
  job: UploadJob
  /** Bytes a share may hold; 0 is no limit. */
  maxBytes: number
  /** What may still be stored; null is no limit, or unknown. */
  leftBytes: number | null
  actions: UploadActions
}

/** The files of a draft: each is sent as soon as it is chosen, and deleted when it is removed. */
export function useDraftFiles({ job, maxBytes, leftBytes, actions }: DraftFilesOptions) {
  const { t } = useTranslation()
  const format = useFormat()
  const { offer, withdraw } = useUndo()
  const addEntries = useAddEntries()
  const { session } = job

  /** Whether there is room for so many bytes more. Says so where there is none. */
  function fits(addedBytes: number): boolean {
    const { sizeBytes, uploadedBytes } = session.getSnapshot()
    if (maxBytes > 0 && sizeBytes + addedBytes > maxBytes) {
      notifyError(t('upload.tooLarge', { maxSize: format.size(maxBytes) }))
      return false
    }
    if (leftBytes !== null && sizeBytes - uploadedBytes + addedBytes > leftBytes) {
      notifyError(t('upload.storage.tooLittle', { left: format.size(leftBytes) }))
      return false
    }
    // Together with what was taken out it could be too much.
    withdraw()
    return true
  }

  function add(chosen: readonly FileEntry[]) {
    const before = session.entries()
    const added = addEntries(before, chosen).slice(before.length)
    if (fits(totalSize(added))) void actions.add(job, added)
  }

  /** Sends a file in place of another. */
  function replace(before: FileEntry, after: FileEntry) {
    if (!fits(after.sizeBytes - before.sizeBytes)) return
    const order = session.entries().map(({ key }) => (key === before.key ? after.key : key))
    void actions.add(job, [after], { order, replaced: [before.key] })
  }

  /** Taken back, the files are sent again, and stand where they stood. */
  function take(taken: readonly FileEntry[], message: string) {
    const order = session.entries().map(({ key }) => key)
    session.remove(taken.map(({ key }) => key))
    offer(message, () => void actions.add(job, taken, { order }))
  }

  function remove(key: string) {
    const entry = session.entries().find((one) => one.key === key)
    if (!entry) return
    const name = visibleName(entry.relativePath ?? entry.name)
    take([entry], t('undo.removed', { name }))
  }

  const clear = () => take(session.entries(), t('undo.allRemoved'))
  return {
    add: useHandler(add),
    replace: useHandler(replace),
    remove: useHandler(remove),
    clear: useHandler(clear),
  }
}
