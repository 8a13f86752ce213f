import { largestShareBytes, type SharedFile, type ShareView, visibleName } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { notifyError } from '../../shared/notify.ts'
import { useSession } from '../../shared/session/session.ts'
import { type FileEntry, labelOf, totalSize } from '../../shared/upload/file-entry.ts'
import { useAddEntries } from '../../shared/upload/use-add-entries.ts'
import { useHandler } from '../../shared/use-handler.ts'
import { useUndo } from '../../shared/use-undo.ts'

/** New contents of shared files, by their ids. */
type Edited = ReadonlyMap<string, FileEntry>

export type EditedFiles = ReturnType<typeof useEditFiles>

/** Which files come to a share and which leave it, until Save. */
export function useEditFiles(shared: ShareView['files']) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, user } = useSession()
  const undo = useUndo()
  const addEntries = useAddEntries()
  const [added, setAdded] = useState<FileEntry[]>([])
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())
  const [edited, setEdited] = useState<Edited>(new Map())

  /** Changes what is sent, unless that is too much. */
  function send(next: FileEntry[], nextEdited: Edited = edited) {
    const kept = shared.filter(({ id }) => !removedIds.has(id) && !nextEdited.has(id))
    const bytes =
      totalSize(next) +
      totalSize([...nextEdited.values()]) +
      kept.reduce((sum, { size }) => sum + Number(size), 0)
    const maxBytes = largestShareBytes(settings, user)
    if (maxBytes > 0 && bytes > maxBytes) {
      notifyError(t('upload.tooLarge', { maxSize: format.size(maxBytes) }))
    } else {
      undo.withdraw()
      setAdded(next)
      setEdited(nextEdited)
    }
  }

  function takenNames(): string[] {
    const kept = shared.filter(({ id }) => !removedIds.has(id))
    return [...kept.map(({ name }) => name), ...added.map(labelOf)]
  }

  /** Deletes a shared file, or keeps it after all, unless another has got its name. */
  function toggle({ id, name }: SharedFile) {
    const next = new Set(removedIds)
    if (!next.delete(id)) next.add(id)
    else if (added.some((entry) => labelOf(entry) === name)) {
      return notifyError(`${visibleName(name)}: ${t('upload.text.nameTaken')}`)
    }
    setRemovedIds(next)
  }

  function undoEdit({ id }: SharedFile) {
    const next = new Map(edited)
    next.delete(id)
    send(added, next)
  }

  function takeOut({ key, name, relativePath }: FileEntry) {
    setAdded(added.filter((entry) => entry.key !== key))
    undo.offer(t('undo.removed', { name: visibleName(relativePath ?? name) }), () =>
      setAdded(added),
    )
  }

  return {
    added,
    removedIds,
    edited,
    toggle: useHandler(toggle),
    takenNames,
    append: useHandler((entries: FileEntry[]) => send(addEntries(added, entries, takenNames()))),
    takeOut: useHandler(takeOut),
    /** Puts another content in place of that of a shared file. */
    edit: ({ id }: SharedFile, entry: FileEntry) => send(added, new Map(edited).set(id, entry)),
    undoEdit: useHandler(undoEdit),
    editAdded: (before: FileEntry, after: FileEntry) =>
      send(added.map((entry) => (entry.key === before.key ? after : entry))),
    hasChanges: added.length > 0 || removedIds.size > 0 || edited.size > 0,
    leavesNothing: added.length === 0 && removedIds.size === shared.length,
  }
}
