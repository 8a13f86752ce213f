import { Skeleton, Stack, Text } from '@mantine/core'
import type { Webhook, WebhookDelivery } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { Dialog } from '../components/Dialog.tsx'
import { queryKeys } from '../query-keys.ts'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { DeliveryList } from './DeliveryList.tsx'
import { ReplaySince } from './ReplaySince.tsx'
import { nameOf } from './webhook-texts.ts'
import { fetchDeliveries } from './webhooks.ts'

interface WebhookLogDialogProps {
  webhook: Webhook
  /** Looked at first, `null` for all of them. */
  first: WebhookDelivery | null
  onClose: () => void
}

/** What was sent lately and how it went, one message at a time or all of them. */
export function WebhookLogDialog({ webhook, first, onClose }: WebhookLogDialogProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(first)
  return (
    <Dialog opened onClose={onClose} title={t('webhooks.log', { name: nameOf(webhook) })} size="lg">
      {opened ? (
        <DeliveryDetails webhook={webhook} delivery={opened} onBack={() => setOpened(null)} />
      ) : (
        <Log webhook={webhook} onOpen={setOpened} />
      )}
    </Dialog>
  )
}

function Log({
  webhook: { id },
  onOpen,
}: {
  webhook: Webhook
  onOpen: (delivery: WebhookDelivery) => void
}) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const log = useQuery({
    queryKey: queryKeys.webhookDeliveries(id),
    queryFn: () => fetchDeliveries(http, id),
    staleTime: 0,
  })
  if (log.isError) return <Text size="sm">{errorMessage(log.error)}</Text>
  if (!log.data) {
    return (
      <Stack gap="sm" aria-hidden="true">
        <Skeleton height={38} />
        <Skeleton height={38} />
      </Stack>
    )
  }
  if (log.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('webhooks.nothingSent')}
      </Text>
    )
  }
  return (
    <Stack gap="lg">
      <DeliveryList deliveries={log.data} onOpen={onOpen} />
      <ReplaySince id={id} />
    </Stack>
  )
}
