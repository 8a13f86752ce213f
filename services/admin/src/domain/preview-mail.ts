import {
  configCatalogue,
  type MailPlaceholder,
  mailTemplates,
  type MailTemplateName,
  type Settings,
} from '@floe/contracts'
import { type RenderedMail, renderMail } from '@floe/mail'

export interface MailDraft {
  template: MailTemplateName
  /** Empty for the default, as the message. */
  subject: string
  message: string
}

/** The message as recipients would see it; unknown placeholders stay as they are. */
export function previewMail(
  { template, subject, message }: MailDraft,
  settings: Pick<Settings, 'general.appName' | 'general.appUrl'>,
): RenderedMail {
  const appUrl = settings['general.appUrl'].replace(/\/+$/, '')
  const samples: Record<MailPlaceholder, string> = {
    creator: 'Kim',
    creatorEmail: 'kim@example.org',
    name: 'Photos',
    desc: 'All of them are in the folder.',
    expires: 'in 7 days',
    email: 'kim@example.org',
    password: 'q7-Xw2-mR9',
    url: `${appUrl}/auth/resetPassword/example`,
    shareUrl: `${appUrl}/s/example`,
  }
  const values = mailTemplates[template].map((name: MailPlaceholder) => [name, samples[name]])
  return renderMail({
    subject: subject || configCatalogue[`email.${template}Subject`].default,
    message: message || configCatalogue[`email.${template}Message`].default,
    values: Object.fromEntries(values),
    appName: settings['general.appName'],
  })
}
