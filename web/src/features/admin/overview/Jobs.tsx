import { Alert, Button, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { FailedJobView, Overview } from '@floe/contracts'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import table from '../../../shared/components/cards-table.module.css'
import { Panel } from '../../../shared/components/Panel.tsx'
import { useFormat } from '../../../shared/format/use-format.ts'
import { notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { retryJob } from '../api/overview.ts'
import classes from './Jobs.module.css'

const states = ['waiting', 'active', 'delayed', 'failed'] as const

/** What is done behind the scenes, and what could not be. */
export function Jobs({ jobs }: { jobs: Overview['jobs'] }) {
  const { t } = useTranslation()
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">
        {t('overview.jobs.title')}
      </Title>
      {jobs === null ? (
        <Text c="dimmed">{t('overview.jobs.unreachable')}</Text>
      ) : (
        <>
          <Sums counts={jobs.counts} />
          {jobs.failed.length > 0 && <FailedJobs failed={jobs.failed} />}
          <Names counts={jobs.counts} />
        </>
      )}
    </section>
  )
}

type Counts = NonNullable<Overview['jobs']>['counts']

function Sums({ counts }: { counts: Counts }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Panel>
      <dl className={classes.sums}>
        {states.map((state) => (
          <div key={state}>
            <dt>{t(`overview.jobs.${state}`)}</dt>
            <dd data-state={state}>
              {format.count(counts.reduce((sum, count) => sum + count[state], 0))}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function FailedJobs({ failed }: { failed: readonly FailedJobView[] }) {
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const retry = useRetry()
  return (
    <>
      {retry.isError && (
        <Alert color="red">
          {hasCode(retry.error, 'job_not_found', 'job_not_failed')
            ? t('overview.jobs.gone')
            : errorMessage(retry.error)}
        </Alert>
      )}
      <Panel>
        <table className={table.table} aria-label={t('overview.jobs.failedTitle')}>
          <thead>
            <tr>
              <th scope="col">{t('overview.jobs.name')}</th>
              <th scope="col">{t('overview.jobs.reason')}</th>
              <th scope="col">{t('overview.jobs.attempts')}</th>
              <th scope="col">{t('overview.jobs.failedAt')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {failed.map((job) => (
              <FailedRow
                key={job.id}
                job={job}
                isRunning={retry.isPending && retry.variables === job.id}
                onRetry={() => retry.mutate(job.id)}
              />
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  )
}

function FailedRow({
  job,
  isRunning,
  onRetry,
}: {
  job: FailedJobView
  isRunning: boolean
  onRetry: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr>
      <td className={classes.name}>{job.name}</td>
      <td data-label={t('overview.jobs.reason')} className={classes.reason}>
        <bdi>{job.reason}</bdi>
      </td>
      <td data-label={t('overview.jobs.attempts')}>{format.count(job.attempts)}</td>
      <td data-label={t('overview.jobs.failedAt')}>{format.date(new Date(job.failedAt))}</td>
      <td>
        <div className={table.buttons}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={15} />}
            loading={isRunning}
            onClick={onRetry}
          >
            {t('overview.jobs.retry')}
          </Button>
        </div>
      </td>
    </tr>
  )
}

function useRetry() {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => retryJob(http, id),
    onSuccess: () => notifySuccess(t('overview.jobs.retried')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.adminOverview }),
  })
}

function Names({ counts }: { counts: Counts }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <details className={classes.names}>
      <summary>{t('overview.jobs.byName')}</summary>
      <Panel>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('overview.jobs.name')}</th>
              {states.map((state) => (
                <th key={state} scope="col">
                  {t(`overview.jobs.${state}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.map((count) => (
              <tr key={count.name}>
                <td className={classes.name}>{count.name}</td>
                {states.map((state) => (
                  <td key={state} data-label={t(`overview.jobs.${state}`)}>
                    {format.count(count[state])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </details>
  )
}
