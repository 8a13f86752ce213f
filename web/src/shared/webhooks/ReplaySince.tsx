import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { notifyError, notifySuccess } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import classes from './ReplaySince.module.css'
import { useWebhookTexts } from './use-webhook-texts.ts'
import { toLocalTime } from './webhook-values.ts'
import { replaySince } from './webhooks.ts'

const DAY_MS = 24 * 3_600_000

/** For a receiver that was away: sends again what it has missed. */
export function ReplaySince({ id }: { id: string }) {
  const { t } = useTranslation()
  const http = useHttp()
  const texts = useWebhookTexts()
  const errorMessage = useErrorMessage()
  const queryClient = useQueryClient()
  const [since, setSince] = useState(() => toLocalTime(new Date(Date.now() - DAY_MS)))
  const replay = useMutation({
    mutationFn: () => replaySince(http, id, new Date(since)),
    onSuccess: (count) => notifySuccess(t('webhooks.replayedCount', { count: texts.count(count) })),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  return (
    <form
      className={classes.line}
      onSubmit={(event) => {
        event.preventDefault()
        replay.mutate()
      }}
    >
      <TextInput
        type="datetime-local"
        required
        withAsterisk={false}
        label={t('webhooks.since')}
        className={classes.field ?? ''}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={replay.isPending}>
        {t('webhooks.replay')}
      </Button>
    </form>
  )
}
