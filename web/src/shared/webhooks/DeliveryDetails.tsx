import { Button, Stack, Textarea } from '@mantine/core'
import type { Webhook, WebhookDelivery } from '@floe/contracts'
import { IconArrowLeft, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { DialogFoot } from '../components/DialogFoot.tsx'
import rows from '../components/rows.module.css'
import { notifyError, notifySuccess } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import classes from './DeliveryDetails.module.css'
import { DeliveryName } from './DeliveryName.tsx'
import { useWebhookTexts } from './use-webhook-texts.ts'
import { toLines } from './webhook-values.ts'
import { replayDelivery } from './webhooks.ts'

interface DeliveryDetailsProps {
  webhook: Webhook
  delivery: WebhookDelivery
  /** To all of them. */
  onBack: () => void
}

/** One message: what was sent, what came back, and how often it was tried. */
export function DeliveryDetails({ webhook, delivery, onBack }: DeliveryDetailsProps) {
  const { t } = useTranslation()
  const texts = useWebhookTexts()
  const replay = useReplay(webhook, delivery, onBack)
  return (
    <Stack gap="md">
      <div className={rows.text}>
        <DeliveryName delivery={delivery} />
        <div className={rows.detail}>
          <time dateTime={delivery.createdAt}>{texts.moment(delivery.createdAt)}</time>
        </div>
      </div>
      <Facts delivery={delivery} />
      <Code label={t('webhooks.sent')} text={toLines(delivery.request)} />
      {delivery.lastAttempt && delivery.lastAttempt.response !== '' && (
        <Code label={t('webhooks.response')} text={toLines(delivery.lastAttempt.response)} />
      )}
      <DialogFoot>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={17} className={classes.back} />}
          onClick={onBack}
        >
          {t('webhooks.back')}
        </Button>
        <Button
          leftSection={<IconSend size={17} />}
          loading={replay.isPending}
          onClick={() => replay.mutate()}
        >
          {t('webhooks.replay')}
        </Button>
      </DialogFoot>
    </Stack>
  )
}

function useReplay(webhook: Webhook, delivery: WebhookDelivery, onReplayed: () => void) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => replayDelivery(http, webhook.id, delivery.id),
    onSuccess: () => {
      notifySuccess(t('webhooks.replayed'))
      onReplayed()
    },
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
}

function Facts({
  delivery: { attempts, nextAttemptAt, lastAttempt },
}: {
  delivery: WebhookDelivery
}) {
  const { t } = useTranslation()
  const texts = useWebhookTexts()
  return (
    <dl className={classes.facts}>
      {lastAttempt && (
        <>
          <dt>{lastAttempt.status === null ? t('webhooks.error') : t('webhooks.status')}</dt>
          <dd>
            <bdi>{texts.outcome(lastAttempt)}</bdi>
          </dd>
          <dt>{t('webhooks.duration')}</dt>
          <dd>{texts.milliseconds(lastAttempt.milliseconds)}</dd>
        </>
      )}
      <dt>{t('overview.jobs.attempts')}</dt>
      <dd>{texts.count(attempts)}</dd>
      {nextAttemptAt !== null && (
        <>
          <dt>{t('webhooks.next')}</dt>
          <dd>
            <time dateTime={nextAttemptAt}>{texts.moment(nextAttemptAt)}</time>
          </dd>
        </>
      )}
    </dl>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <Textarea
      label={label}
      value={text}
      readOnly
      rows={6}
      dir="ltr"
      classNames={{ input: classes.code }}
    />
  )
}
