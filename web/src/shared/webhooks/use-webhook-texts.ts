import {
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookFormat,
} from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { formatNames, stateText } from './webhook-texts.ts'

type Attempt = NonNullable<WebhookDelivery['lastAttempt']>

/** What webhooks are made of, as people say it. */
export function useWebhookTexts() {
  const { t, i18n } = useTranslation()
  const { language } = i18n
  return {
    format: (format: WebhookFormat) =>
      format === 'slack' ? t('webhooks.slack') : formatNames[format],
    /** As it follows "when". */
    clause: (event: WebhookEvent) => t(`webhooks.event.${event}`),
    state: (webhook: Webhook) => t(stateText(webhook)),
    count: (count: number) => new Intl.NumberFormat(language).format(count),
    milliseconds: (amount: number) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }).format(amount),
    moment: (at: string) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
        new Date(at),
      ),
    /** `200`, or why there is no status. */
    outcome: ({ status, error }: Attempt) => (status === null ? error : String(status)),
  }
}
