import { expect, test } from 'vitest'
import { enrol } from '../harness/authenticator.ts'
import { findBarriers } from '../harness/barriers.ts'
import type { Visitor } from '../harness/journey.ts'
import { pairwiseLooks } from '../harness/looks.ts'
import { addPasskey, passkeysSection, plugIn, visitSite } from '../harness/passkeys.ts'
import { join, nameOf, signIn } from '../harness/people.ts'
import { useJourney } from '../harness/use-journey.ts'

const journey = useJourney()

const visit = (how?: { hasList: boolean }) => visitSite(journey, how)
const section = passkeysSection

async function newMember(how?: { hasList: boolean }) {
  const visitor = await visit(how)
  const person = await join(visitor)
  await visitor.page.goto('/account')
  return { visitor, person }
}

/** The browser forgets who was signed in, and keeps its passkeys. */
async function leaveSession({ context, page }: Visitor): Promise<void> {
  await context.clearCookies()
  await page.goto('/auth/signIn')
}

async function press(visitor: Visitor): Promise<void> {
  await leaveSession(visitor)
  await visitor.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
}

test('somebody adds a passkey and signs in with it alone', async () => {
  const { visitor, person } = await newMember()
  await plugIn(visitor)
  const codes = await addPasskey(visitor.page, person, 'Laptop')
  expect(codes).toHaveLength(10)
  const sent = visitor.page.waitForRequest('**/api/auth/signIn/passkey')
  await press(visitor)
  await expect.poll(() => nameOf(visitor)).toBe(person.username)
  // Somebody who has it all cannot send it again.
  const stranger = await visit()
  const data: unknown = (await sent).postDataJSON()
  const again = await stranger.context.request.post('/api/auth/signIn/passkey', { data })
  expect([again.status(), await nameOf(stranger)]).toEqual([400, null])
  await stranger.leave()
  await visitor.page.goto('/account')
  await section(visitor.page).getByText('Last used').waitFor()
  await visitor.leave()
})

test('the browser offers it in the list of the name, and nothing else is to be done', async () => {
  const { visitor, person } = await newMember({ hasList: true })
  await plugIn(visitor)
  await addPasskey(visitor.page, person, 'Laptop')
  await leaveSession(visitor)
  // Its list is the browser's own; the authenticator picks the one there is.
  await expect.poll(() => nameOf(visitor)).toBe(person.username)
  await visitor.leave()
})

test('after the password the passkey is asked for, and its codes are the way back', async () => {
  const { visitor, person } = await newMember()
  await plugIn(visitor)
  const [code = ''] = await addPasskey(visitor.page, person, 'Laptop')
  const { page } = visitor
  await page.goto('/account')
  // Elsewhere there is no such device.
  const other = await visit()
  await other.page.goto('/auth/signIn')
  await signIn(other.page, person)
  await other.page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.page.getByLabel('Recovery code').fill(code)
  await other.page.getByRole('button', { name: 'Verify' }).click()
  await expect.poll(() => nameOf(other)).toBe(person.username)
  await other.leave()
  await visitor.leave()
})

test('as the second step it goes on where the password led', async () => {
  const { visitor, person } = await newMember()
  await plugIn(visitor)
  await addPasskey(visitor.page, person, 'Laptop')
  await visitor.context.clearCookies()
  const { page } = visitor
  await page.goto('/account/shares')
  await signIn(page, person)
  const passkey = page.getByRole('button', { name: 'Use a passkey' })
  await passkey.waitFor()
  const looks = pairwiseLooks.ltr
  expect(await findBarriers(page, 'second step by passkey', { looks })).toEqual([])
  await passkey.click()
  await page.getByRole('heading', { name: 'My shares' }).waitFor()
  await visitor.leave()
})

test('who has used up the codes makes new ones', async () => {
  const { visitor, person } = await newMember()
  const { page } = visitor
  await plugIn(visitor)
  const codes = await addPasskey(page, person, 'Laptop')
  await section(page).getByRole('button', { name: 'New recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  const shown = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const list = shown.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => list.count()).toBe(10)
  expect(await list.allInnerTexts()).not.toEqual(codes)
  await visitor.leave()
})

test('of two the lost one is removed, and the other one works on', async () => {
  const { visitor, person } = await newMember()
  const first = await plugIn(visitor)
  await addPasskey(visitor.page, person, 'Lost phone')
  const { page } = visitor
  await first.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: first.id })
  await plugIn(visitor)
  expect(await addPasskey(page, person, 'Laptop')).toEqual([])
  await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename Laptop' })
  await rename.getByLabel('Name').fill('Work laptop')
  await rename.getByRole('button', { name: 'Save' }).click()
  await section(page).getByText('Work laptop').waitFor()
  await section(page).getByRole('button', { name: 'Remove Lost phone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Lost phone' })
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await section(page).getByText('Lost phone').waitFor({ state: 'detached' })
  const looks = pairwiseLooks.ltr
  expect(await findBarriers(page, 'account with passkeys', { looks })).toEqual([])
  await press(visitor)
  await expect.poll(() => nameOf(visitor)).toBe(person.username)
  await visitor.leave()
})

test('a copy whose counter falls behind is refused, and its owner is told', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signIn\/passkey$/, status: 400 })
  const { visitor, person } = await newMember()
  const { cdp, id: authenticatorId } = await plugIn(visitor)
  await addPasskey(visitor.page, person, 'Laptop')
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  for (let use = 0; use < 2; use += 1) {
    await press(visitor)
    await expect.poll(() => nameOf(visitor)).toBe(person.username)
  }
  // As it was when it was copied.
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  for (const credential of credentials) {
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  }
  await press(visitor)
  await visitor.page.getByText('This passkey was not accepted.').waitFor()
  const owner = await visit()
  await owner.page.goto('/auth/signIn')
  await signIn(owner.page, person)
  await owner.page.getByRole('button', { name: 'Use a recovery code' }).waitFor()
  await owner.leave()
  await visitor.leave()
})

test('beside an app either is enough', async () => {
  const { visitor, person } = await newMember()
  await plugIn(visitor)
  const { authenticator } = await enrol(visitor, person)
  await visitor.page.reload()
  expect(await addPasskey(visitor.page, person, 'Laptop')).toEqual([])
  await leaveSession(visitor)
  await signIn(visitor.page, person)
  await visitor.page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await visitor.page.getByLabel('Digit 1 of 6').pressSequentially(authenticator.nextCode())
  await expect.poll(() => nameOf(visitor)).toBe(person.username)
  await visitor.leave()
})

test('at an address of numbers the page says where passkeys work, and asks for none', async () => {
  const { page, leave } = await journey.visitAsMember()
  await page.goto('/account')
  await section(page).getByText('Passkeys work at the public address of this site').waitFor()
  expect(await section(page).getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
  await leave()
})
