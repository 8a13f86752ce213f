import { visibleName } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../notify.ts'
import { addEntries, type FileEntry } from './file-entry.ts'

const MOST_NAMES_TOLD = 3

/** Adds files to a list, and tells which of them have the name of another and were left out. */
export function useAddEntries() {
  const { t } = useTranslation()
  return (
    list: readonly FileEntry[],
    added: readonly FileEntry[],
    takenNames: readonly string[] = [],
  ): FileEntry[] => {
    const { entries, refused } = addEntries(list, added, takenNames)
    if (refused.length > 0) {
      const told = refused.slice(0, MOST_NAMES_TOLD).map(visibleName)
      if (refused.length > told.length) told.push('…')
      notifyError(`${told.join(', ')}: ${t('upload.text.nameTaken')}`)
    }
    return entries
  }
}
