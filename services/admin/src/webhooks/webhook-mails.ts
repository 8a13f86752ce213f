import type { AuthPort, Settings } from '@floe/contracts'
import {
  mailLanguage,
  type Mailer,
  mailTexts,
  type RenderedMail,
  renderMail,
  smtpSettings,
} from '@floe/mail'
import type { Configuration } from '../domain/configuration.ts'
import type { DisabledWebhook, WebhookStore } from './ports.ts'

/** Messages to the owners of webhooks. */
export interface WebhookMails {
  /**
   * Tells that a webhook was turned off, unless that was told or is no longer so.
   * Fails with mail_refused, mail_unavailable.
   */
  send(webhookId: string): Promise<void>
}

export interface WebhookMailsDependencies {
  store: Pick<WebhookStore, 'findOwingMail' | 'settleMail'>
  configuration: Pick<Configuration, 'settings'>
  auth: Pick<AuthPort, 'findUsers'>
  mailer: Mailer
}

export function createWebhookMails({
  store,
  configuration,
  auth,
  mailer,
}: WebhookMailsDependencies): WebhookMails {
  return {
    async send(webhookId) {
      const webhook = await store.findOwingMail(webhookId)
      if (!webhook) return
      const settings = await configuration.settings()
      const smtp = smtpSettings(settings)
      const [owner] = await auth.findUsers({ ids: [webhook.userId] })
      if (smtp !== null && owner) {
        await mailer.send(smtp, {
          ...disabledMail(settings, webhook),
          to: owner.email,
          id: `webhook-${webhook.id}-${webhook.disabledAt.getTime()}`,
        })
      }
      await store.settleMail(webhookId)
    },
  }
}

function disabledMail(
  settings: Settings,
  { url, scope, reason, language: asked }: DisabledWebhook,
): RenderedMail {
  const language = mailLanguage(settings, asked)
  const texts = mailTexts(language)
  const path = scope === 'own' ? '/account' : '/admin/webhooks'
  return renderMail({
    subject: texts.webhookOffSubject,
    message: reason === 'gone' ? texts.webhookGoneMessage : texts.webhookFailingMessage,
    language,
    action: texts.openWebhooks,
    values: {
      // Not all of the address: those of chat services hold what lets others write there.
      receiver: new URL(url).host,
      url: settings['general.appUrl'].replace(/\/+$/, '') + path,
    },
    settings,
  })
}
