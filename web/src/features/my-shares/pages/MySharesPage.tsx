import { Button, Group, Title } from '@mantine/core'
import type { OwnShare } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchOwnShares } from '../../../shared/api/own-shares.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { EmptyState } from '../../../shared/components/EmptyState.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { DeleteChosen } from '../../../shared/list/DeleteChosen.tsx'
import { DeleteSharesDialog } from '../../../shared/list/DeleteSharesDialog.tsx'
import { NoHits } from '../../../shared/list/NoHits.tsx'
import { rowsOfPage } from '../../../shared/list/list-query.ts'
import { Pager } from '../../../shared/list/Pager.tsx'
import { SearchBar } from '../../../shared/list/SearchBar.tsx'
import { useFocusAfterDeletion } from '../../../shared/list/use-focus-after-deletion.ts'
import { useList } from '../../../shared/list/use-list.ts'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { arrangeShares, shareSorts } from '../arrange-shares.ts'
import { ShareInfoDialog } from '../components/ShareInfoDialog.tsx'
import { ShareLinkDialog } from '../components/ShareLinkDialog.tsx'
import { type ShareDialog, SharesTable } from '../components/SharesTable.tsx'

const listOptions = {
  sorts: shareSorts,
  start: { sort: 'createdAt', order: 'desc' },
} as const

const none: ReadonlySet<string> = new Set()

export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const [dialog, setDialog] = useState<ShareDialog | null>(null)
  const shares = useQuery({
    queryKey: queryKeys.ownShares,
    queryFn: () => fetchOwnShares(http),
    // Visitors come while the page is open: a look at it shows how many.
    refetchOnWindowFocus: true,
  })
  const { heading, noteDeletion } = useFocusAfterDeletion(shares.data)
  const close = () => setDialog(null)
  const errorMessage = useErrorMessage()

  return (
    <PageColumn width="wide">
      <PageTitle>{t('myShares.title')}</PageTitle>
      <Group justify="space-between" mb="lg">
        <Title ref={heading} order={1} size="h2" tabIndex={-1}>
          {t('myShares.title')}
        </Title>
        {shares.data && shares.data.length > 0 && (
          <Button component={PageLink} to={paths.upload} leftSection={<IconPlus size={17} />}>
            {t('myShares.create')}
          </Button>
        )}
      </Group>
      {shares.isPending && <RowsSkeleton />}
      {shares.isError && (
        <DeadEnd
          title={t('errorPage.title')}
          text={errorMessage(shares.error)}
          action={<Button onClick={() => void shares.refetch()}>{t('common.tryAgain')}</Button>}
        />
      )}
      {shares.data?.length === 0 && (
        <EmptyState
          scene="empty"
          title={t('myShares.empty.title')}
          text={t('myShares.empty.text')}
          action={
            <Button component={PageLink} to={paths.upload}>
              {t('myShares.empty.create')}
            </Button>
          }
        />
      )}
      {shares.data && shares.data.length > 0 && (
        <ShareList shares={shares.data} onDialog={setDialog} onDeleted={noteDeletion} />
      )}
      {dialog?.kind === 'info' && <ShareInfoDialog share={dialog.share} onClose={close} />}
      {dialog?.kind === 'link' && <ShareLinkDialog share={dialog.share} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <DeleteSharesDialog shares={[dialog.share]} onClose={close} onDeleted={noteDeletion} />
      )}
    </PageColumn>
  )
}

interface ShareListProps {
  shares: readonly OwnShare[]
  onDialog: (dialog: ShareDialog) => void
  onDeleted: () => void
}

/**
 * All of them are here already: looking for some and sorting them asks nobody. Remembered: a dialog
 * over it changes nothing.
 */
const ShareList = memo(function ShareList({ shares, onDialog, onDeleted }: ShareListProps) {
  const { t, i18n } = useTranslation()
  const [chosen, setChosen] = useState(none)
  const [doomed, setDoomed] = useState<readonly OwnShare[]>([])
  const { state, setSearch, setPage, setSorting } = useList(listOptions)
  const found = useMemo(
    () => arrangeShares(shares, state, i18n.language),
    [shares, state, i18n.language],
  )
  const { rows: shown, page } = rowsOfPage(found, state.page)
  // Whatever is no longer in sight is not chosen either.
  const chosenShares = shown.filter(({ id }) => chosen.has(id))

  return (
    <>
      <SearchBar label={t('myShares.search')} search={state.search} onSearch={setSearch}>
        <DeleteChosen count={chosenShares.length} onClick={() => setDoomed(chosenShares)} />
      </SearchBar>
      {shown.length === 0 ? (
        <NoHits />
      ) : (
        <SharesTable
          shares={shown}
          state={state}
          chosen={chosen}
          onSort={setSorting}
          onChoose={setChosen}
          onDialog={onDialog}
        />
      )}
      {found.length > shown.length && <Pager page={page} total={found.length} onPage={setPage} />}
      {doomed.length > 0 && (
        <DeleteSharesDialog
          shares={doomed}
          onClose={() => setDoomed([])}
          onDeleted={() => {
            setChosen(none)
            onDeleted()
          }}
        />
      )}
    </>
  )
})
