export { createMailer } from './create-mailer.ts'
export {
  type Acceptance,
  type Mailer,
  type MailMessage,
  type SendOptions,
  type SmtpSettings,
  smtpSettings,
} from './mailer.ts'
export { createMailerToNowhere } from './mailer-to-nowhere.ts'
export { fixedWords, mailLanguage, mailTexts, wordMail } from './mail-texts.ts'
export { type RenderedMail, renderMail } from './render-mail.ts'
