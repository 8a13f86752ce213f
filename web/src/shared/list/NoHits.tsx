import { useTranslation } from 'react-i18next'
import { EmptyState } from '../components/EmptyState.tsx'

/** Stands where the rows of a list would be that a search left none of. */
export function NoHits() {
  const { t } = useTranslation()
  return (
    <div role="status">
      <EmptyState scene="search" title={t('admin.list.none')} />
    </div>
  )
}
