import type { Mailer } from './mailer.ts'

/** Takes every message as a mail server would, and connects to none. */
export function createMailerToNowhere(): Mailer {
  return {
    async send(_smtp, _message, { handover } = {}) {
      await handover?.begin()
      handover?.written()
      return { reply: '250 Not sent: this is a demo' }
    },
  }
}
