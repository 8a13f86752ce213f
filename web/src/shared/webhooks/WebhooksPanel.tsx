import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { WebhookScope } from '@floe/contracts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import rows from '../components/rows.module.css'
import { lazyPart } from '../lazy-part.ts'
import { queryKeys } from '../query-keys.ts'
import type { OpenDialog } from './WebhookDialogs.tsx'
import { WebhookRow } from './WebhookRow.tsx'
import { fetchWebhooks } from './webhooks.ts'

// Rarely needed, and far larger than the list.
const WebhookDialogs = lazyPart(
  () => import('./WebhookDialogs.tsx'),
  ({ WebhookDialogs }) => WebhookDialogs,
)

/** Addresses that are told of events, of one's own shares or of the whole site. */
export function WebhooksPanel({ scope }: { scope: WebhookScope }) {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const all = useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: () => fetchWebhooks(http),
    // They turn off by themselves.
    staleTime: 0,
  })
  if (all.isError) return <Text size="sm">{errorMessage(all.error)}</Text>
  const webhooks = all.data?.filter((webhook) => webhook.scope === scope)
  return (
    <>
      {!webhooks && (
        <Stack gap="lg" aria-hidden="true">
          <Skeleton height={38} />
        </Stack>
      )}
      {webhooks?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('webhooks.none')}
        </Text>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className={rows.list} aria-label={t('webhooks.title')}>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onOpen={setDialog} />
          ))}
        </ul>
      )}
      <Button
        variant="default"
        mt="lg"
        leftSection={<IconPlus size={17} />}
        onClick={() => setDialog({ kind: 'create', scope })}
      >
        {t('webhooks.create')}
      </Button>
      <Suspense>
        {dialog && (
          <WebhookDialogs dialog={dialog} onOpen={setDialog} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </>
  )
}
