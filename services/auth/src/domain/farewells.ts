import type { AdminPort, Farewell } from '@floe/contracts'
import { type Mailer, smtpSettings } from '@floe/mail'
import { farewellMail } from './account-mails.ts'

export interface Farewells {
  /** Tells somebody that the account is gone, where messages are sent at all. */
  send(farewell: Farewell): Promise<void>
}

export function createFarewells({
  mailer,
  admin,
}: {
  mailer: Mailer
  admin: AdminPort
}): Farewells {
  return {
    async send({ userId, username, email, language }) {
      const settings = await admin.settings({})
      const smtp = smtpSettings(settings)
      if (!smtp) return
      const receiver = { id: userId, to: email, language }
      await mailer.send(smtp, farewellMail(settings, { ...receiver, username }))
    },
  }
}
