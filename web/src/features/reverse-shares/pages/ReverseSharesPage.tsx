import { Alert, Button, Group, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import {
  offersReverseShares,
  type OwnReverseShare,
  type ReceivedShare,
  type Receiver,
} from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { EmptyState } from '../../../shared/components/EmptyState.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { RowsSkeleton } from '../../../shared/components/RowsSkeleton.tsx'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchOwnReverseShares } from '../../../shared/api/own-reverse-shares.ts'
import { useSession } from '../../../shared/session/session.ts'
import { CreateReverseShareDialog } from '../components/CreateReverseShareDialog.tsx'
import { DeleteReceivedDialog, DeleteReverseShareDialog } from '../components/DeleteDialogs.tsx'
import { EditReverseShareDialog } from '../components/EditReverseShareDialog.tsx'
import { OpenSealedDialog } from '../components/OpenSealedDialog.tsx'
import { type LinkOptions, ReverseShareLinkDialog } from '../components/ReverseShareLinkDialog.tsx'
import { ReverseSharesTable } from '../components/ReverseSharesTable.tsx'
import { latestReceiver } from '../reverse-share-values.ts'
import { useOpenSealed } from '../use-open-sealed.ts'

type Dialog =
  | { kind: 'create' }
  | ({ kind: 'link' } & LinkOptions)
  | { kind: 'openReceived'; receiver: Receiver; share: ReceivedShare }
  | { kind: 'edit' | 'delete'; reverseShare: OwnReverseShare }
  | { kind: 'deleteReceived'; share: ReceivedShare }

/** The open dialog; `?create` and `?link=…` in the address open one, too. */
function useDialog(reverseShares: readonly OwnReverseShare[] | undefined, isOff: boolean) {
  const [params, setParams] = useSearchParams()
  const [chosen, setChosen] = useState<Dialog | null>(null)

  function addressed(): Dialog | null {
    if (params.has('create') && !isOff) return { kind: 'create' }
    // Nobody else's: an address may come from anywhere.
    const own = reverseShares?.find(({ token }) => token === params.get('link'))
    return own ? { kind: 'link', ...own } : null
  }

  function change(dialog: Dialog | null) {
    setChosen(dialog)
    if (params.size > 0) setParams({}, { replace: true })
  }

  return [chosen ?? addressed(), change] as const
}

export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const reverseShares = useQuery({
    queryKey: queryKeys.ownReverseShares,
    queryFn: () => fetchOwnReverseShares(http),
    // Others send while the page is open: a look at it shows what came.
    refetchOnWindowFocus: true,
  })
  const { data } = reverseShares
  const { settings } = useSession()
  const isOff = !offersReverseShares(settings)
  const [dialog, setDialog] = useDialog(data, isOff)
  const openReceived = useOpenSealed((receiver, share) =>
    setDialog({ kind: 'openReceived', receiver, share }),
  )
  return (
    <PageColumn width="wide">
      <PageTitle>{t('reverseShares.title')}</PageTitle>
      <Head
        canCreate={data !== undefined && data.length > 0 && !isOff}
        onCreate={() => setDialog({ kind: 'create' })}
      />
      {isOff && (
        <Alert mb="lg" title={t('reverseShares.off.title')}>
          {t('reverseShares.off.text')}
        </Alert>
      )}
      {reverseShares.isPending && <RowsSkeleton />}
      {reverseShares.isError && (
        <DeadEnd
          title={t('errorPage.title')}
          text={errorMessage(reverseShares.error)}
          action={
            <Button onClick={() => void reverseShares.refetch()}>{t('common.tryAgain')}</Button>
          }
        />
      )}
      {data?.length === 0 && !isOff && (
        <EmptyState
          scene="inbox"
          title={t('reverseShares.empty.title')}
          text={t('reverseShares.empty.text')}
          action={
            <Button onClick={() => setDialog({ kind: 'create' })}>
              {t('reverseShares.empty.create')}
            </Button>
          }
        />
      )}
      {data && data.length > 0 && (
        <ReverseSharesTable
          reverseShares={data}
          onLink={(reverseShare) => setDialog({ kind: 'link', ...reverseShare })}
          onEdit={(reverseShare) => setDialog({ kind: 'edit', reverseShare })}
          onDelete={(reverseShare) => setDialog({ kind: 'delete', reverseShare })}
          onOpenReceived={(share, { receiver }) => {
            if (receiver) openReceived(share, receiver)
          }}
          onDeleteReceived={(share) => setDialog({ kind: 'deleteReceived', share })}
        />
      )}
      <OpenDialog dialog={dialog} known={data ? latestReceiver(data) : null} onChange={setDialog} />
    </PageColumn>
  )
}

function Head({ canCreate, onCreate }: { canCreate: boolean; onCreate: () => void }) {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" align="flex-start" mb="lg">
      <div>
        <Title order={1} size="h2">
          {t('reverseShares.title')}
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {t('reverseShares.hint')}
        </Text>
      </div>
      {canCreate && (
        <Button leftSection={<IconPlus size={17} />} onClick={onCreate}>
          {t('myShares.create')}
        </Button>
      )}
    </Group>
  )
}

interface OpenDialogProps {
  dialog: Dialog | null
  /** The receiver of the account, as another reverse share has it. */
  known: Receiver | null
  onChange: (dialog: Dialog | null) => void
}

function OpenDialog({ dialog, known, onChange }: OpenDialogProps) {
  const onClose = () => onChange(null)
  switch (dialog?.kind) {
    case 'create':
      return (
        <CreateReverseShareDialog
          receiver={known}
          onClose={onClose}
          onCreated={(created) => onChange({ kind: 'link', ...created })}
        />
      )
    case 'link':
      return <ReverseShareLinkDialog {...dialog} onClose={onClose} />
    case 'openReceived':
      return <OpenSealedDialog {...dialog} onClose={onClose} />
    case 'edit':
      return <EditReverseShareDialog reverseShare={dialog.reverseShare} onClose={onClose} />
    case 'delete':
      return <DeleteReverseShareDialog reverseShare={dialog.reverseShare} onClose={onClose} />
    case 'deleteReceived':
      return <DeleteReceivedDialog share={dialog.share} onClose={onClose} />
    case undefined:
      return null
  }
}
