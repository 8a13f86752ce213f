import { IconSearch } from '@tabler/icons-react'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../shared/paths.ts'
import { useSession } from '../../shared/session/session.ts'
import type { EntryGroup } from './arrange-entries.ts'
import type { Entry } from './entry.ts'

/** Takes what was typed to the lists that only the server can search. */
export function useSearchEntries(): (query: string) => EntryGroup[] {
  const { t } = useTranslation()
  const { user } = useSession()
  const isAdmin = user?.isAdmin ?? false
  return useCallback(
    (query) => {
      if (!isAdmin) return []
      const text = query.trim()
      const toEntry = (label: string, path: string): Entry => ({
        ...{ id: path, group: 'search', icon: IconSearch, label, isOffered: false },
        act: `${path}?search=${encodeURIComponent(text)}`,
      })
      const entries = [
        toEntry(t('palette.searchUsers', { text }), paths.adminUsers),
        toEntry(t('palette.searchShares', { text }), paths.adminShares),
      ]
      return [{ name: 'search', entries }]
    },
    [isAdmin, t],
  )
}
