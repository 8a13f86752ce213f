import { Button, Group, Title } from '@mantine/core'
import type { OwnShare } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteShare } from '../../../shared/api/delete-share.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchOwnShares } from '../../../shared/api/own-shares.ts'
import { ConfirmDialog } from '../../../shared/components/ConfirmDialog.tsx'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { EmptyState } from '../../../shared/components/EmptyState.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { ShareInfoDialog } from '../components/ShareInfoDialog.tsx'
import { ShareLinkDialog } from '../components/ShareLinkDialog.tsx'
import { SharesTable } from '../components/SharesTable.tsx'

type Dialog = { kind: 'info' | 'link' | 'delete'; share: OwnShare }

export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const shares = useQuery({
    queryKey: queryKeys.ownShares,
    queryFn: () => fetchOwnShares(http),
    // Visitors come while the page is open: a look at it shows how many.
    refetchOnWindowFocus: true,
  })
  const close = () => setDialog(null)
  const errorMessage = useErrorMessage()

  return (
    <PageColumn width="wide">
      <PageTitle>{t('myShares.title')}</PageTitle>
      <Group justify="space-between" mb="lg">
        <Title order={1} size="h2">
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
        <SharesTable
          shares={shares.data}
          onInfo={(share) => setDialog({ kind: 'info', share })}
          onLink={(share) => setDialog({ kind: 'link', share })}
          onDelete={(share) => setDialog({ kind: 'delete', share })}
        />
      )}
      {dialog?.kind === 'info' && <ShareInfoDialog share={dialog.share} onClose={close} />}
      {dialog?.kind === 'link' && <ShareLinkDialog share={dialog.share} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteDialog share={dialog.share} onClose={close} />}
    </PageColumn>
  )
}

function DeleteDialog({ share, onClose }: { share: OwnShare; onClose: () => void }) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const errorMessage = useErrorMessage()
  const remove = useMutation({
    mutationFn: () => deleteShare(http, share.id),
    onSuccess: async () => {
      onClose()
      notifySuccess(t('myShares.deleted'))
      await queryClient.invalidateQueries({ queryKey: ['shares'] })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <ConfirmDialog
      opened
      title={t('myShares.deleteTitle', { name: share.name ?? share.id })}
      text={t('myShares.deleteText')}
      action={t('common.delete')}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  )
}
