import {
  TEST_EVENT,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
  type WebhookFormat,
} from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { formatNames, stateText } from './webhook-texts.ts'

const knownEvents = [...webhookEvents, TEST_EVENT] as const

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
    /** On its own. Newer servers may know more events. */
    event(event: string): string {
      const known = knownEvents.find((one) => one === event)
      return known === undefined ? event : capitalise(t(`webhooks.event.${known}`), language)
    },
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

function capitalise(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
