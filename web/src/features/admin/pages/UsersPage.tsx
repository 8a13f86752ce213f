import { Button } from '@mantine/core'
import type { UserView } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchStorageUse, fetchUsers, updateUser } from '../api/users.ts'
import { CreateUserDialog } from '../components/CreateUserDialog.tsx'
import { DeleteUserDialog } from '../components/DeleteUserDialog.tsx'
import { EditUserDialog } from '../components/EditUserDialog.tsx'
import { ListHead } from '../components/ListHead.tsx'
import { NoHits } from '../../../shared/list/NoHits.tsx'
import { Pager } from '../../../shared/list/Pager.tsx'
import { UserTokensDialog } from '../components/UserTokensDialog.tsx'
import { UserRulesDialog } from '../components/UserRulesDialog.tsx'
import { UsersTable } from '../components/UsersTable.tsx'
import { useUserMutation } from '../use-user-mutation.ts'
import { useList } from '../../../shared/list/use-list.ts'

const listOptions = {
  sorts: ['createdAt', 'username', 'email'],
  start: { sort: 'username', order: 'asc' },
} as const

type OpenDialog =
  { kind: 'create' } | { kind: 'edit' | 'rules' | 'tokens' | 'delete'; user: UserView }

/** Every account. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { state, query, setSearch, setPage, setSorting } = useList(listOptions)
  const users = useQuery({
    queryKey: queryKeys.adminUsers(query),
    queryFn: () => fetchUsers(http, query),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const ids = (users.data?.rows ?? []).map(({ id }) => id)
  const storageUse = useQuery({
    queryKey: queryKeys.storageUse(ids),
    queryFn: () => fetchStorageUse(http, ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

  const approve = useUserMutation({
    run: ({ id }: UserView) => updateUser(http, id, { isWaiting: false }),
    done: t('admin.users.approved'),
    onClose: () => undefined,
  })

  return (
    <PageColumn width="wide">
      <ListHead
        title={t('admin.users.title')}
        searchLabel={t('admin.users.search')}
        search={state.search}
        onSearch={setSearch}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setDialog({ kind: 'create' })}>
          {t('admin.users.create')}
        </Button>
      </ListHead>
      {users.isPending && <RowsSkeleton />}
      {users.isError && (
        <DeadEnd
          title={t('errorPage.title')}
          text={errorMessage(users.error)}
          action={<Button onClick={() => void users.refetch()}>{t('common.tryAgain')}</Button>}
        />
      )}
      {users.data?.total === 0 && <NoHits />}
      {users.data && users.data.total > 0 && (
        <>
          <UsersTable
            users={users.data.rows}
            storageUse={storageUse.data ?? null}
            state={state}
            onSort={setSorting}
            onEdit={(user) => setDialog({ kind: 'edit', user })}
            onApprove={approve.mutate}
            onRules={(user) => setDialog({ kind: 'rules', user })}
            onTokens={(user) => setDialog({ kind: 'tokens', user })}
            onDelete={(user) => setDialog({ kind: 'delete', user })}
          />
          <Pager page={state.page} total={users.data.total} onPage={setPage} />
        </>
      )}
      {dialog && <UserDialog dialog={dialog} onClose={() => setDialog(null)} />}
    </PageColumn>
  )
}

const dialogs = {
  edit: EditUserDialog,
  rules: UserRulesDialog,
  tokens: UserTokensDialog,
  delete: DeleteUserDialog,
}

function UserDialog({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  if (dialog.kind === 'create') return <CreateUserDialog onClose={onClose} />
  const Dialog = dialogs[dialog.kind]
  return <Dialog user={dialog.user} onClose={onClose} />
}
