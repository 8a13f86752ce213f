import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { join, nameOf, newPerson, signIn } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useJourney } from './harness/use-journey.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** What a browser meets that learns by its next request that it is signed out. */
const signedOut = [
  { path: /^\/api\/(users\/me|shares)$/, status: 403 },
  { path: /^\/api\/auth\/token$/, status: 401 },
]

const journey = useJourney()

beforeAll(() => {
  journey.problems.expectRefusals(...signedOut)
})

const scheme = (page: Page) =>
  page.evaluate('document.documentElement.getAttribute("data-mantine-color-scheme")')
const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor')
const grounds = { light: 'rgb(243, 247, 249)', dark: 'rgb(14, 23, 30)' }
const language = (page: Page) => page.evaluate<string>('document.documentElement.lang')
const homePage = (page: Page) => page.getByRole('heading', { name: /^Send files of any size/ })

test('a chosen language survives a reload, and wins over that of the browser', async () => {
  const visitor = await journey.visit()
  const { page, context } = visitor
  await join(visitor)
  await page.goto('/account')
  // Its label is in whatever language is chosen.
  const choice = page.getByRole('combobox')
  const choose = (code: string) =>
    Promise.all([page.waitForEvent('load'), choice.selectOption(code)])
  const cookie = async () => (await context.cookies()).find(({ name }) => name === 'language')
  const before = await language(page)
  await choice.waitFor()
  const offered = await choice
    .getByRole('option')
    .evaluateAll((options: { value: string }[]) => options.map(({ value }) => value))
  const codes = offered.filter((code) => code !== 'system')
  const chosen = codes.find((code) => code !== before) ?? before
  expect(codes).toContain(chosen)

  await choose(chosen)
  await expect.poll(() => choice.inputValue()).toBe(chosen)
  await page.reload()
  await expect.poll(() => choice.inputValue()).toBe(chosen)
  expect(await language(page)).toBe(chosen)
  const title = await page.getByRole('heading', { level: 1 }).innerText()
  expect(title === 'My account').toBe(chosen === before)
  const painted = await context.request.get('/account')
  expect(await painted.text()).toContain(`lang="${chosen}"`)
  const { value, expires = 0 } = (await cookie()) ?? {}
  expect(value).toBe(chosen)
  expect(expires - Date.now() / 1000).toBeGreaterThan(0.99 * YEAR_SECONDS)

  await choose('system')
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  expect(await cookie()).toBeUndefined()
  expect(await language(page)).toBe(before)
  await visitor.leave()
})

test('the colour scheme is kept, painted from the first frame, and follows the system', async () => {
  const visitor = await journey.visit()
  const { page } = visitor
  await join(visitor)
  await page.goto('/account')
  const choice = page.getByRole('radiogroup', { name: 'Color scheme' })
  await choice.getByText('Dark').click()
  await expect.poll(() => scheme(page)).toBe('dark')
  // It may follow the scheme a frame later.
  await expect.poll(() => background(page)).toBe(grounds.dark)
  await page.reload()
  await choice.waitFor()
  expect(await scheme(page)).toBe('dark')
  expect(await background(page)).toBe(grounds.dark)
  const painted = await visitor.context.request.get('/account')
  expect(await painted.text()).toMatch(/<html[^>]*data-mantine-color-scheme="dark"/)
  await choice.getByText('Light').click()
  await expect.poll(() => scheme(page)).toBe('light')
  await expect.poll(() => background(page)).toBe(grounds.light)
  await choice.getByText('System').click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => scheme(page)).toBe('light')
  await visitor.leave()
})

test('name, address and password change on the account page, for those who know the old one', async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/users\/me$/, status: 400 },
    { path: /^\/api\/users\/me$/, status: 403 },
    { path: /^\/api\/auth\/(password|signIn)$/, status: 403 },
    { path: /^\/api\/auth\/password$/, status: 400 },
    { path: /^\/api\/auth\/signIn$/, status: 401 },
  )
  const other = await journey.visit()
  const taken = await join(other)
  await other.leave()
  const { page, context, leave } = await journey.visit()
  const person = await join({ context })
  const changed = newPerson()
  await page.goto('/upload')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const info = page.getByRole('region', { name: 'Account info' })
  const save = info.getByRole('button', { name: 'Save' })
  await expect.poll(() => info.getByLabel('Username').inputValue()).toBe(person.username)
  await info.getByLabel('Username').fill(taken.username)
  await info.getByRole('textbox', { name: 'Email' }).fill(changed.email)
  const dialog = page.getByRole('dialog', { name: 'Change email address' })
  const confirm = dialog.getByRole('button', { name: 'Change email address' })
  await save.click()
  await confirm.click()
  await dialog.getByText('This field is required').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill('not my password')
  await confirm.click()
  await dialog.getByText('Invalid password').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await confirm.click()
  await info.getByText('A user with this username already exists').waitFor()
  await info.getByLabel('Username').fill(changed.username)
  await save.click()
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await confirm.click()
  await page.getByRole('alert').getByText('Account updated').waitFor()
  await expect
    .poll(() => info.getByRole('textbox', { name: 'Email' }).inputValue())
    .toBe(changed.email)

  const password = page.getByRole('region', { name: 'Password' })
  const submit = password.getByRole('button', { name: 'Change password' })
  await submit.click()
  await expect.poll(() => password.getByText('This field is required').count()).toBe(2)
  await password.getByLabel('Old password').fill('not my password')
  await password.getByLabel('New password').fill(`new ${changed.password}`)
  await submit.click()
  await password.getByText('Invalid password').waitFor()
  await password.getByLabel('Old password').fill(person.password)
  await password.getByLabel('New password').fill('Password123')
  await submit.click()
  await password.getByText('This password is too common').waitFor()
  await password.getByLabel('New password').fill(`new ${changed.password}`)
  await submit.click()
  await page.getByRole('alert').getByText('Password changed').waitFor()

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, changed)
  await page.getByRole('alert').getByText('Wrong email, username or password').waitFor()
  await signIn(page, { ...changed, password: `new ${changed.password}` })
  await page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  await leave()
})

test('a device signed out from another one is refused at its next request', async () => {
  const { owner, person, phone } = await signInTwice()
  await owner.open('/account')
  const devices = owner.page.getByRole('list', { name: 'Signed-in devices' })
  const rows = devices.getByRole('listitem')
  await rows.first().getByText('Firefox on Windows').waitFor()
  await rows.first().getByText('This device').waitFor()
  await expect.poll(() => rows.count()).toBe(2)
  expect(await nameOf(phone)).toBe(person.username)
  await devices.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await devices.getByText('Safari on iPhone').waitFor({ state: 'detached' })

  expect(await nameOf(phone)).toBeNull()
  const noted = phone.page.waitForEvent('console', (message) => message.type() === 'info')
  await phone.page.getByRole('button', { name: 'Open menu' }).click()
  await phone.page.getByRole('link', { name: 'My shares' }).click()
  expect((await noted).text()).toBe('Refresh token invalid or expired')
  await phone.page.waitForURL('**/auth/signIn?redirect=%2Faccount%2Fshares')
  await signIn(phone.page, person)
  await phone.page.getByRole('heading', { name: 'No shares yet' }).waitFor()
  expect(await nameOf(owner)).toBe(person.username)
  await Promise.all([owner.leave(), phone.leave()])
})

test('signing out everywhere leaves no browser signed in', async () => {
  const { owner, phone } = await signInTwice()
  await owner.open('/account')
  await owner.page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const ask = owner.page.getByRole('dialog', { name: 'Sign out everywhere?' })
  await ask.getByRole('button', { name: 'Sign out everywhere' }).click()
  await homePage(owner.page).waitFor()
  expect(await nameOf(owner)).toBeNull()
  expect(await nameOf(phone)).toBeNull()
  await phone.page.reload()
  await phone.page.waitForURL('**/auth/signIn?redirect=%2Fupload')
  await Promise.all([owner.leave(), phone.leave()])
})

test('a deleted account takes its shares along', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/auth\/signIn$/, status: 401 })
  const member = await journey.visitAsMember()
  const { person } = member
  const id = await makeShare(member.context.request, { files: { 'note.txt': 'Hello' } })
  journey.problems.expectRefusals({ path: new RegExp(`^/api/shares/${id}(/|$)`), status: 404 })
  const guest = await journey.visit()
  await guest.open(`/s/${id}`)
  await guest.page.getByRole('button', { name: 'note.txt', exact: true }).waitFor()

  await member.open('/account')
  await member.page.getByRole('button', { name: 'Delete account' }).click()
  const ask = member.page.getByRole('dialog', { name: 'Delete your account?' })
  await ask.getByText(`the account ${person.username}`).waitFor()
  await ask.getByRole('button', { name: 'Delete account' }).click()
  await homePage(member.page).waitFor()
  expect(await nameOf(member)).toBeNull()
  await member.open('/auth/signIn')
  await signIn(member.page, person)
  await member.page.getByRole('alert').getByText('Wrong email, username or password').waitFor()
  await expect
    .poll(
      async () => {
        await guest.page.reload()
        return guest.page.getByRole('heading', { level: 1 }).innerText()
      },
      { timeout: 60_000 },
    )
    .toBe('Share not found')
  await Promise.all([member.leave(), guest.leave()])
})

/** Somebody with a desk and a phone; the phone shows the upload page. */
async function signInTwice() {
  const owner = await journey.visit({ userAgent: FIREFOX })
  const person = await join(owner, newPerson())
  const phone = await journey.visit({ userAgent: IPHONE, viewport: { width: 390, height: 844 } })
  await phone.open('/auth/signIn')
  await signIn(phone.page, person)
  await phone.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()
  return { owner, person, phone }
}
