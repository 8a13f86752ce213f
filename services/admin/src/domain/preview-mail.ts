import {
  configCatalogue,
  type Language,
  type MailPlaceholder,
  mailTemplates,
  type MailTemplateName,
  type Settings,
} from '@floe/contracts'
import { mailTexts, type RenderedMail, renderMail, wordMail } from '@floe/mail'

export interface MailDraft {
  template: MailTemplateName
  /** Empty for the default, as the message. */
  subject: string
  message: string
}

/** The message as recipients of this language would see it; unknown placeholders stay as they are. */
export function previewMail(
  { template, subject, message }: MailDraft,
  { settings, language }: { settings: Settings; language: Language },
): RenderedMail {
  const appUrl = settings['general.appUrl'].replace(/\/+$/, '')
  const texts = mailTexts(language)
  const samples: Record<MailPlaceholder, string> = {
    creator: 'Kim',
    creatorEmail: 'kim@example.org',
    name: texts.sampleName,
    desc: texts.sampleNote,
    expires: new Intl.RelativeTimeFormat(language).format(7, 'day'),
    email: 'kim@example.org',
    password: 'q7-Xw2-mR9',
    url: `${appUrl}/auth/resetPassword/example`,
    shareUrl: `${appUrl}/s/example`,
  }
  const values = mailTemplates[template].map((name: MailPlaceholder) => [name, samples[name]])
  const saved = {
    ...settings,
    [`email.${template}Subject`]: subject || configCatalogue[`email.${template}Subject`].default,
    [`email.${template}Message`]: message || configCatalogue[`email.${template}Message`].default,
  }
  return renderMail({
    ...wordMail(saved, template, language),
    values: Object.fromEntries(values),
    settings,
    // The page shows nothing from elsewhere, and may be open at another address than the settings say.
    logoUrl: '/img/logo.png',
  })
}
