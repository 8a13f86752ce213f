import { openAuthenticator, scan } from '../harness/authenticator.ts'
import { join as joinFloe } from '../harness/people.ts'
import { decide, newProviderAccount } from '../harness/provider.ts'
import type { Tour } from './tour.ts'

/** The account page, the menus of the bar, the sheet of shortcuts and the palette. */
export async function tourAccount(tour: Tour): Promise<void> {
  const { journey, judge, button, heading, link, dialog, field, text, say } = tour
  journey.problems.expectRefusals(
    { path: /^\/nowhere$/, status: 404 },
    { path: /^\/api\/auth\/password$/, status: 403 },
    { path: /^\/api\/auth\/password$/, status: 400 },
  )
  const { page, context, leave } = await tour.visit()
  await joinFloe({ context })
  await page.goto('/account')
  await link(page, 'account.social.linkNamed', { provider: 'OpenID Connect' }).click()
  await decide(page, newProviderAccount())
  const unlink = button(page, 'account.social.unlinkNamed', { provider: 'OpenID Connect' })
  await unlink.waitFor()
  await text(page, 'account.devices.current').waitFor()
  await judge(page, 'account')
  await unlink.click()
  await dialog(page, 'account.social.unlinkTitle', { provider: 'OpenID Connect' }).waitFor()
  await judge(page, 'question before an account is unlinked')
  await page.keyboard.press('Escape')
  await button(page, 'account.devices.endAll').click()
  await dialog(page, 'account.devices.endAllTitle').waitFor()
  await judge(page, 'question before every device is signed out')
  await page.keyboard.press('Escape')
  await button(page, 'account.delete.submit').click()
  await dialog(page, 'account.delete.confirmTitle').waitFor()
  await judge(page, 'question before the account is deleted')
  await page.keyboard.press('Escape')
  await field(page, 'account.password.old').fill('a wrong password')
  await field(page, 'account.password.new').fill('a long enough password')
  await button(page, 'account.password.submit').click()
  await text(page, 'errors.wrongPassword').waitFor()
  await judge(page, 'account with an error')

  await button(page, 'nav.shares').click()
  await page.getByRole('menuitem', { name: say('nav.myShares') }).waitFor()
  await judge(page, 'menu of shares')
  await page.keyboard.press('Escape')
  await button(page, 'nav.accountMenu').click()
  await page.getByRole('menuitem', { name: say('nav.signOut') }).waitFor()
  await judge(page, 'menu of the account')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await dialog(page, 'nav.shortcuts').waitFor()
  await judge(page, 'sheet of shortcuts')
  await page.keyboard.press('Escape')
  await dialog(page, 'nav.shortcuts').waitFor({ state: 'detached' })
  await button(page, 'nav.palette').click()
  await dialog(page, 'nav.palette').waitFor()
  await judge(page, 'palette')
  await page.keyboard.type('zzz')
  await text(page, 'admin.list.none').waitFor()
  await judge(page, 'palette that finds nothing')
  await page.goto('/nowhere')
  await heading(page, 'notFound.title').waitFor()
  await judge(page, 'unknown page')
  await page.setViewportSize({ width: 390, height: 844 })
  await button(page, 'nav.open').click()
  await button(page, 'nav.signOut').waitFor()
  await judge(page, 'menu of a phone')
  await leave()
}

/** The second factor from its setup to its end, and signing in with it. */
export async function tourSecondFactor(tour: Tour): Promise<void> {
  const { journey, judge, button, dialog, field, text, say } = tour
  journey.problems.expectRefusals(
    { path: /^\/api\/auth\/signIn\/totp$/, status: 400 },
    { path: /^\/api\/auth\/signIn\/totp$/, status: 401 },
  )
  const firstDigit = say('common.digit', { number: 1, total: 6 })
  const { page, context, leave } = await tour.visit()
  const person = await joinFloe({ context })
  await page.goto('/account')
  const section = page.getByRole('region', { name: say('account.totp.title') })
  await field(section, 'auth.fields.password').fill(person.password)
  await button(section, 'account.totp.enable').click()
  const code = page.getByRole('img', { name: say('account.totp.setup.qrCode') })
  const authenticator = openAuthenticator(await scan(code))
  await judge(page, 'setup of the second factor')
  await page.getByLabel(firstDigit).pressSequentially(authenticator.nextCode())
  await dialog(page, 'account.recovery.title').waitFor()
  await judge(page, 'recovery codes')
  await button(page, 'account.recovery.saved').click()
  await button(section, 'account.totp.newCodes').click()
  await dialog(page, 'account.totp.newCodes').waitFor()
  await judge(page, 'question before new recovery codes are made')
  await page.keyboard.press('Escape')
  await button(section, 'account.totp.disable').click()
  const end = dialog(page, 'account.totp.disableTitle')
  await button(end, 'account.totp.disable').click()
  await text(end, 'validation.required').waitFor()
  await judge(page, 'end of the second factor, with errors')
  await leave()

  const { page: phone, leave: hangUp } = await tour.visit()
  await phone.goto('/auth/signIn')
  await field(phone, 'auth.fields.identifier').fill(person.username)
  await field(phone, 'auth.fields.password').fill(person.password)
  await button(phone.getByRole('main'), 'auth.signIn.submit').click()
  await phone.getByLabel(firstDigit).waitFor()
  await judge(phone, 'second step')
  await phone.getByLabel(firstDigit).pressSequentially(authenticator.wrongCode())
  await text(phone, 'errors.invalidCode').waitFor()
  await judge(phone, 'second step with a wrong code')
  await button(phone, 'auth.totp.useRecovery').click()
  await field(phone, 'auth.totp.recoveryCode').waitFor()
  await judge(phone, 'second step by recovery code')
  await hangUp()
}
