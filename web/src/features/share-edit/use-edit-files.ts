import { type ShareView, visibleName } from '@floe/contracts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { notifyError } from '../../shared/notify.ts'
import { useSession } from '../../shared/session/session.ts'
import { addEntries, type FileEntry, totalSize } from '../../shared/upload/file-entry.ts'
import { useUndo } from '../../shared/use-undo.ts'

/** Which files come to a share and which leave it, until Save. */
export function useEditFiles(shared: ShareView['files']) {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSession()
  const undo = useUndo()
  const [added, setAdded] = useState<FileEntry[]>([])
  const [removedIds, setRemovedIds] = useState<ReadonlySet<string>>(new Set())

  function append(entries: FileEntry[]) {
    const next = addEntries(added, entries)
    const kept = shared.filter(({ id }) => !removedIds.has(id))
    const bytes = totalSize(next) + kept.reduce((sum, { size }) => sum + Number(size), 0)
    const maxBytes = settings['share.maxSize']
    if (maxBytes > 0 && bytes > maxBytes) {
      notifyError(t('upload.tooLarge', { maxSize: format.size(maxBytes) }))
    } else {
      undo.withdraw()
      setAdded(next)
    }
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
    setRemovedIds,
    append,
    takeOut,
    hasChanges: added.length > 0 || removedIds.size > 0,
    leavesNothing: added.length === 0 && removedIds.size === shared.length,
  }
}
