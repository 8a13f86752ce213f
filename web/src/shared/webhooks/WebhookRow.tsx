import type { Webhook } from '@floe/contracts'
import { IconList, IconPencil, IconSend, IconTrash, IconWebhook } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../api/error-message.ts'
import { useHttp } from '../api/http-context.ts'
import { RowAction } from '../components/RowAction.tsx'
import rows from '../components/rows.module.css'
import { notifyError } from '../notify.ts'
import { queryKeys } from '../query-keys.ts'
import { useWebhookTexts } from './use-webhook-texts.ts'
import { nameOf } from './webhook-texts.ts'
import type { OpenDialog } from './WebhookDialogs.tsx'
import classes from './WebhookRow.module.css'
import { testWebhook } from './webhooks.ts'

interface WebhookRowProps {
  webhook: Webhook
  onOpen: (dialog: OpenDialog) => void
}

/** Where messages go, whether they do, what about, and all that can be done with it. */
export function WebhookRow({ webhook, onOpen }: WebhookRowProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const texts = useWebhookTexts()
  const errorMessage = useErrorMessage()
  const queryClient = useQueryClient()
  const name = nameOf(webhook)
  const test = useMutation({
    mutationFn: () => testWebhook(http, webhook.id),
    onSuccess: (delivery) => onOpen({ kind: 'log', webhook, delivery }),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <span className={rows.icon}>
        <IconWebhook size={20} stroke={1.7} aria-hidden="true" />
      </span>
      <div className={rows.text}>
        <div className={rows.name}>
          <bdi>{name}</bdi>
          <span className={rows.mark} data-off={webhook.disabledAt !== null || undefined}>
            {texts.state(webhook)}
          </span>
        </div>
        <div className={rows.detail}>
          <bdi>{texts.format(webhook.format)}</bdi>
          <bdi className={classes.code}>{webhook.url}</bdi>
        </div>
        <div className={rows.detail}>
          {webhook.events.map((event) => (
            <bdi key={event} className={classes.code}>
              {event}
            </bdi>
          ))}
        </div>
      </div>
      <div className={classes.actions}>
        <RowAction
          icon={IconSend}
          label={t('webhooks.test', { name })}
          onClick={() => !test.isPending && test.mutate()}
        />
        <RowAction
          icon={IconList}
          label={t('webhooks.log', { name })}
          onClick={() => onOpen({ kind: 'log', webhook, delivery: null })}
        />
        <RowAction
          icon={IconPencil}
          label={t('myShares.actions.edit', { name })}
          onClick={() => onOpen({ kind: 'edit', webhook })}
        />
        <RowAction
          icon={IconTrash}
          label={t('myShares.actions.delete', { name })}
          isDangerous
          onClick={() => onOpen({ kind: 'delete', webhook })}
        />
      </div>
    </li>
  )
}
