import type { CDPSession, Locator, Page } from 'playwright-core'
import type { Journey, Visitor } from './journey.ts'
import type { Person } from './people.ts'

/** Its name, as passkeys are bound to names and not to addresses of numbers. */
export function siteOf({ floe }: Journey): string {
  return floe.url.replace('127.0.0.1', 'localhost')
}

/** With a browser that offers passkeys by the page's button alone, unless it is told otherwise. */
export async function visitSite(journey: Journey, { hasList = false } = {}): Promise<Visitor> {
  const visitor = await journey.visit({ baseURL: siteOf(journey) })
  if (!hasList) await visitor.context.addInitScript(withoutList)
  return visitor
}

/** The virtual authenticator would respond at once to what people pick from a list. */
const withoutList =
  'if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false'

export interface Device {
  cdp: CDPSession
  id: string
}

/** A device's own authenticator, which says yes as its person would. */
export async function plugIn({ context, page }: Visitor, { hasPrf = true } = {}): Promise<Device> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  return { cdp, id }
}

export function passkeysSection(page: Page): Locator {
  return page.getByRole('region', { name: 'Passkeys' })
}

/** On the page of the account. Returns the recovery codes, where some came with it. */
export async function addPasskey(page: Page, person: Person, name: string): Promise<string[]> {
  const section = passkeysSection(page)
  await section.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByRole('listitem').filter({ hasText: name }).waitFor()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  if (!(await codes.isVisible())) return []
  const shown = await codes
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allInnerTexts()
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await codes.waitFor({ state: 'detached' })
  return shown
}
