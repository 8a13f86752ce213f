/**
 * The messages that an administrator words (`email.<name>Subject`, `email.<name>Message`), with what
 * may stand in them as `{placeholder}`.
 */
export const mailTemplates = {
  shareRecipients: ['creator', 'creatorEmail', 'shareUrl', 'desc', 'expires'],
  reverseShare: ['creator', 'shareUrl'],
  shareDownloadNotification: ['name', 'shareUrl'],
  shareReminder: ['name', 'shareUrl', 'expires'],
  resetPassword: ['url'],
  invite: ['url', 'email', 'password'],
} as const

export type MailTemplateName = keyof typeof mailTemplates
export type MailPlaceholder = (typeof mailTemplates)[MailTemplateName][number]

export const mailTemplateNames = Object.keys(mailTemplates).filter(
  (name): name is MailTemplateName => name in mailTemplates,
)
