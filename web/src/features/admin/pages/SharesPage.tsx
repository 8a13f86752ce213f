import { Button } from '@mantine/core'
import type { AdminShare } from '@floe/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchShares } from '../api/shares.ts'
import { AdminSharesTable } from '../components/AdminSharesTable.tsx'
import { DeleteChosen } from '../../../shared/list/DeleteChosen.tsx'
import { DeleteSharesDialog } from '../../../shared/list/DeleteSharesDialog.tsx'
import { ListHead } from '../components/ListHead.tsx'
import { NoHits } from '../../../shared/list/NoHits.tsx'
import { Pager } from '../../../shared/list/Pager.tsx'
import { useList } from '../../../shared/list/use-list.ts'

const listOptions = {
  sorts: ['createdAt', 'id', 'views', 'expiration'],
  start: { sort: 'createdAt', order: 'desc' },
} as const

const none: ReadonlySet<string> = new Set()

/** Every share of everybody, unfinished and expired ones included. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [chosen, setChosen] = useState(none)
  const [doomed, setDoomed] = useState<readonly AdminShare[]>([])
  const { state, query, setSearch, setPage, setSorting } = useList(listOptions)
  const shares = useQuery({
    queryKey: queryKeys.adminShares(query),
    queryFn: () => fetchShares(http, query),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const deleteOne = useCallback((share: AdminShare) => setDoomed([share]), [])
  // Whatever is no longer in sight is not chosen either.
  const chosenShares = shares.data?.rows.filter(({ id }) => chosen.has(id)) ?? []

  return (
    <PageColumn width="wide">
      <ListHead
        title={t('admin.shares.title')}
        searchLabel={t('admin.shares.search')}
        search={state.search}
        onSearch={setSearch}
      >
        <DeleteChosen count={chosenShares.length} onClick={() => setDoomed(chosenShares)} />
      </ListHead>
      {shares.isPending && <RowsSkeleton />}
      {shares.isError && (
        <DeadEnd
          title={t('errorPage.title')}
          text={errorMessage(shares.error)}
          action={<Button onClick={() => void shares.refetch()}>{t('common.tryAgain')}</Button>}
        />
      )}
      {shares.data?.total === 0 && <NoHits />}
      {shares.data && shares.data.total > 0 && (
        <>
          <AdminSharesTable
            shares={shares.data.rows}
            state={state}
            chosen={chosen}
            onSort={setSorting}
            onChoose={setChosen}
            onDelete={deleteOne}
          />
          <Pager page={state.page} total={shares.data.total} onPage={setPage} />
        </>
      )}
      {doomed.length > 0 && (
        <DeleteSharesDialog
          shares={doomed}
          onClose={() => setDoomed([])}
          onDeleted={() => setChosen(none)}
        />
      )}
    </PageColumn>
  )
}
