import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { fetchOverview } from '../api/overview.ts'
import { Antivirus } from './Antivirus.tsx'
import { Jobs } from './Jobs.tsx'
import { LatestEvents } from './LatestEvents.tsx'
import { Trends } from './Trends.tsx'

const REFRESH_MS = 15_000

/** How the installation is doing. */
export function OverviewSection() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const overview = useQuery({
    queryKey: queryKeys.adminOverview,
    queryFn: () => fetchOverview(http),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  if (overview.data) {
    return (
      <Stack gap="xl">
        <Trends overview={overview.data} />
        <Jobs jobs={overview.data.jobs} />
        {overview.data.antivirus !== undefined && <Antivirus report={overview.data.antivirus} />}
        <LatestEvents entries={overview.data.audit} />
      </Stack>
    )
  }
  if (overview.isPending) return <Skeleton height={132} radius="lg" aria-hidden="true" />
  return (
    <Stack gap="sm" align="flex-start">
      <Text c="dimmed">{errorMessage(overview.error)}</Text>
      <Button variant="default" onClick={() => void overview.refetch()}>
        {t('common.tryAgain')}
      </Button>
    </Stack>
  )
}
