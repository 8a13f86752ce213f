import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchAudit } from '../api/audit.ts'
import { AuditFilters } from '../audit/AuditFilters.tsx'
import { AuditTable } from '../audit/AuditTable.tsx'
import { useAudit } from '../audit/use-audit.ts'
import { NoHits } from '../../../shared/list/NoHits.tsx'
import { Pager } from '../../../shared/list/Pager.tsx'
import { ScreenTitle } from '../components/ScreenTitle.tsx'

/** Who did what to what, from where, when. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const { state, search, query, narrow, setPage } = useAudit()
  const log = useQuery({
    queryKey: queryKeys.adminAudit(query),
    queryFn: () => fetchAudit(http, query),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  return (
    <PageColumn width="wide">
      <ScreenTitle>{t('audit.title')}</ScreenTitle>
      <AuditFilters state={state} search={search} onChange={narrow} />
      {log.isPending && <RowsSkeleton />}
      {log.isError && (
        <DeadEnd
          title={t('errorPage.title')}
          text={errorMessage(log.error)}
          action={<Button onClick={() => void log.refetch()}>{t('common.tryAgain')}</Button>}
        />
      )}
      {log.data?.total === 0 && <NoHits />}
      {log.data && log.data.total > 0 && (
        <>
          <AuditTable entries={log.data.rows} />
          <Pager page={state.page} total={log.data.total} onPage={setPage} />
        </>
      )}
    </PageColumn>
  )
}
