import type { CaughtMessage, SmtpCatcher } from '@floe/testing'
import type { Page } from 'playwright-core'

// Messages leave by a job that a busy machine may keep waiting.
const DELIVERY_TIMEOUT_MS = 60_000

/** The last message to an address, once there are so many. */
export async function receive(smtp: SmtpCatcher, to: string, count = 1): Promise<CaughtMessage> {
  const messages = await smtp.waitForMessages(count, { to, timeoutMs: DELIVERY_TIMEOUT_MS })
  const message = messages.at(-1)
  if (!message) throw new Error(`no message to ${to}`)
  return message
}

/** The address that stands on a line of its own in the plain text. */
export function linkOf({ text }: CaughtMessage): string {
  const link = /^https?:\S+$/m.exec(text)?.[0]
  if (link === undefined) throw new Error(`no link in:\n${text}`)
  return link
}

/** Shows the HTML of a message, as a mail program would, and follows its button. */
export async function followButton(page: Page, message: CaughtMessage): Promise<void> {
  await page.setContent(message.html)
  await page.locator(`td > a[href="${linkOf(message)}"]`).click()
}
