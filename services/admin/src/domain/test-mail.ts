import { randomUUID } from 'node:crypto'
import { AppError, isAppError } from '@floe/errors'
import { type Acceptance, type Mailer, renderMail, smtpSettings } from '@floe/mail'
import type { Configuration } from './configuration.ts'

/**
 * Sends a message right away, by the saved settings. Whoever waits for it is the administrator, who
 * gets to read what the server says. Fails with smtp_disabled, mail_test_failed.
 */
export type SendTestMail = (to: string) => Promise<Acceptance>

export function createTestMail({
  configuration,
  mailer,
}: {
  configuration: Configuration
  mailer: Mailer
}): SendTestMail {
  return async (to) => {
    const settings = await configuration.settings()
    const smtp = smtpSettings(settings)
    if (smtp === null) throw new AppError('smtp_disabled')
    const appName = settings['general.appName']
    const mail = renderMail({
      subject: 'Test message from {appName}',
      message: 'Hello,\n\nyour mail server works: {appName} sent this message.\n\n{appUrl}',
      values: { appName, appUrl: settings['general.appUrl'] },
      appName,
    })
    try {
      return await mailer.send(smtp, { to, ...mail, id: `test-${randomUUID()}` })
    } catch (error) {
      throw new AppError('mail_test_failed', { cause: error, values: { reason: reasonOf(error) } })
    }
  }
}

function reasonOf(error: unknown): string {
  if (!isAppError(error)) return 'unknown'
  return error.detail ?? error.message
}
