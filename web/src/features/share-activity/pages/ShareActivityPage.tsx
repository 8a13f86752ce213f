import { Button, Skeleton, Stack } from '@mantine/core'
import type { Downloadable } from '@floe/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { DeadEnd } from '../../../shared/components/DeadEnd.tsx'
import { Page as PageColumn } from '../../../shared/components/Page.tsx'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { paths } from '../../../shared/paths.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchShareActivity } from '../api/share-activity.ts'
import { Activity } from '../components/Activity.tsx'

/** Others visit while the page is open. */
const REFRESH_MS = 30_000

export function Page() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const http = useHttp()
  const [file, setFile] = useState<Downloadable | null>(null)
  const activity = useQuery({
    queryKey: queryKeys.shareActivity(id, file),
    queryFn: () => fetchShareActivity(http, { shareId: id, file }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
  return (
    <PageColumn>
      <PageTitle>{t('activity.title')}</PageTitle>
      {activity.isPending && <ActivitySkeleton />}
      {activity.isError && (
        <ActivityDeadEnd
          error={activity.error}
          onRetry={() => {
            setFile(null)
            void activity.refetch()
          }}
        />
      )}
      {activity.data && !activity.isError && (
        <Activity activity={activity.data} file={file} onFile={setFile} />
      )}
    </PageColumn>
  )
}

function ActivityDeadEnd({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const isAbsent = hasCode(error, 'share_not_found')
  return (
    <DeadEnd
      scene={isAbsent ? 'gone' : 'storm'}
      title={isAbsent ? t('share.deadEnd.notFound.title') : t('errorPage.title')}
      text={isAbsent ? t('share.deadEnd.notFound.text') : errorMessage(error)}
      action={
        isAbsent ? (
          <Button component={PageLink} to={paths.myShares}>
            {t('edit.toMyShares')}
          </Button>
        ) : (
          <Button onClick={onRetry}>{t('common.tryAgain')}</Button>
        )
      }
    />
  )
}

function ActivitySkeleton() {
  return (
    <Stack gap="lg" aria-hidden="true">
      <Skeleton height={34} width="50%" />
      <Skeleton height={88} radius="lg" />
      <Skeleton height={280} radius="lg" />
      <Skeleton height={180} radius="lg" />
    </Stack>
  )
}
