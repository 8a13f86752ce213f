import type { APIRequestContext, Locator, Page } from 'playwright-core'

export interface NewReverseShare {
  /** The end of the link; made up when absent. */
  token?: string
  name?: string
  password?: string
  expiration?: string
  maxBytes?: number
  uses?: number
  notify?: boolean
  askSenderName?: boolean
  publicAccess?: boolean
  simplified?: boolean
}

/** Makes a link over the wire, for journeys that are about what is sent through it. */
export async function makeReverseShare(
  request: APIRequestContext,
  {
    expiration = '7-days',
    maxBytes = 1_000_000_000,
    uses = 1,
    notify = false,
    ...others
  }: NewReverseShare,
): Promise<string> {
  const response = await request.post('/api/reverseShares', {
    data: {
      shareExpiration: expiration,
      maxShareSize: String(maxBytes),
      maxUseCount: uses,
      sendEmailNotification: notify,
      ...others,
    },
  })
  if (!response.ok())
    throw new Error(`reverseShares responded ${response.status()}: ${await response.text()}`)
  const { token } = (await response.json()) as { token: string }
  return token
}

export interface ReverseShareEntries {
  size: number
  unit: string
  uses: number
  notify: boolean
  password: string
}

/** Fills in the dialog that makes a link. */
export async function fillReverseShare(
  page: Page,
  { size, unit, uses, notify, password }: ReverseShareEntries,
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create reverse share' })
  await dialog.getByLabel('Maximum share size').fill(String(size))
  await dialog.getByLabel('Size unit').selectOption(unit)
  await dialog.getByLabel('Maximum uses').fill(String(uses))
  await dialog.getByLabel('Email me when files arrive').setChecked(notify)
  await dialog.getByRole('button', { name: 'More options' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
}

/** Opens a link, with its password where it has one, up to the place where files are chosen. */
export async function openReverseShare(
  page: Page,
  token: string,
  password?: string,
): Promise<void> {
  await page.goto(`/upload/${token}`)
  if (password !== undefined) {
    const dialog = page.getByRole('dialog', { name: 'Password required' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
  }
  await page.getByRole('list', { name: 'Limits of this link' }).waitFor()
}

/** What is asked while files are on their way through a link. */
export function sendOptions(page: Page): Locator {
  return page.getByRole('region', { name: 'Send files' })
}

export function sendButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Send', exact: true })
}

/** Chooses files, or one folder, on the page of a link and sends them. */
export async function beginSending(
  page: Page,
  { files, folder, senderName }: { files?: string[]; folder?: string; senderName?: string },
): Promise<void> {
  if (files) await page.getByLabel('Files to upload').setInputFiles(files)
  if (folder !== undefined) await page.getByLabel('Folder to upload').setInputFiles(folder)
  await sendOptions(page).waitFor()
  if (senderName !== undefined) await sendOptions(page).getByLabel('Your name').fill(senderName)
  await sendButton(page).click()
}

/** Waits until everything has arrived; returns whether the receiver is told by mail. */
export async function finishSending(page: Page, timeoutMs = 60_000): Promise<boolean> {
  const done = page.getByRole('dialog', { name: 'Your files have been sent' })
  await done.waitFor({ timeout: timeoutMs })
  const isNotified = await done.getByText('The receiver has been notified by email.').isVisible()
  await done.getByRole('button', { name: 'Done' }).click()
  return isNotified
}
