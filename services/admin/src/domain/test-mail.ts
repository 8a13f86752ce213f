import { randomUUID } from 'node:crypto'
import type { Actor, Language } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import {
  type Acceptance,
  type Mailer,
  mailLanguage,
  mailTexts,
  renderMail,
  smtpSettings,
} from '@floe/mail'
import type { Configuration } from './configuration.ts'
import type { AuditStore } from './ports.ts'

/**
 * Sends a message right away, by the saved settings. The administrator waits for it and
 * reads what the mail server replied. Fails with smtp_disabled, mail_test_failed.
 */
export type SendTestMail = (
  to: string,
  by: { actor: Actor; language: Language | null },
) => Promise<Acceptance>

export function createTestMail({
  configuration,
  mailer,
  audit,
}: {
  configuration: Configuration
  mailer: Mailer
  audit: Pick<AuditStore, 'record'>
}): SendTestMail {
  return async (to, { actor, language: asked }) => {
    const settings = await configuration.settings()
    const smtp = smtpSettings(settings)
    if (smtp === null) throw new AppError('smtp_disabled')
    const appName = settings['general.appName']
    const language = mailLanguage(settings, asked)
    const texts = mailTexts(language)
    const mail = renderMail({
      subject: texts.testSubject,
      message: texts.testMessage,
      language,
      action: texts.openApp,
      values: { appName, appUrl: settings['general.appUrl'] },
      settings,
    })
    const record = (outcome: 'sent' | 'failed') =>
      audit.record([
        {
          action: 'mail.tested',
          actor,
          target: { type: 'mail', id: null, name: to },
          details: { outcome },
        },
      ])
    let acceptance: Acceptance
    try {
      acceptance = await mailer.send(smtp, { to, ...mail, id: `test-${randomUUID()}` })
    } catch (error) {
      await record('failed')
      throw new AppError('mail_test_failed', { cause: error, values: { reason: reasonOf(error) } })
    }
    await record('sent')
    return acceptance
  }
}

function reasonOf(error: unknown): string {
  if (!isAppError(error)) return 'unknown'
  return error.detail ?? error.message
}
