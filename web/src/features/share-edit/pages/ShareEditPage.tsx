import { Button, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { ApiError } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { fetchOwnShare, fetchOwnShares } from '../../../shared/api/own-shares.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { EditForm } from '../components/EditForm.tsx'

export function Page() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const http = useHttp()
  const { user } = useSession()
  const share = useQuery({
    queryKey: queryKeys.shareFromOwner(id),
    queryFn: () => fetchOwnShare(http, id),
    gcTime: 0,
  })
  // The limits of a share are told to its owner in the list alone.
  const own = useQuery({
    queryKey: queryKeys.ownShares,
    queryFn: () => fetchOwnShares(http),
    enabled: user !== null,
  })
  const isReady = share.data !== undefined && (user === null || !own.isPending)
  const ownShare = own.data?.find((item) => item.id === id) ?? null

  return (
    <PageColumn>
      <PageTitle>{t('edit.title')}</PageTitle>
      {share.isError && <EditDeadEnd error={share.error} />}
      {!share.isError && !isReady && <FormSkeleton />}
      {share.data && isReady && <EditForm key={share.data.id} share={share.data} own={ownShare} />}
    </PageColumn>
  )
}

function EditDeadEnd({ error }: { error: Error }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const isAbsent = error instanceof ApiError && error.status === 404
  return (
    <DeadEnd
      scene={isAbsent ? 'gone' : 'storm'}
      title={isAbsent ? t('share.deadEnd.notFound.title') : t('errorPage.title')}
      text={isAbsent ? t('share.deadEnd.notFound.text') : errorMessage(error)}
      action={
        <Button component={PageLink} to={paths.myShares}>
          {t('edit.toMyShares')}
        </Button>
      }
    />
  )
}

function FormSkeleton() {
  return (
    <Stack gap="md" aria-hidden="true">
      <Skeleton height={34} width="40%" />
      <Skeleton height={220} radius="lg" />
      <Skeleton height={180} radius="lg" />
    </Stack>
  )
}
