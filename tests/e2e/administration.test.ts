import { type ReleaseServer, startReleaseServer } from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Member, Visitor } from './harness/journey.ts'
import { nameOf, newPerson, signIn } from './harness/people.ts'
import { makeShare } from './harness/shares.ts'
import { useOwnFloe } from './harness/use-journey.ts'

const userCount = 54

let releases: ReleaseServer
const journey = useOwnFloe(async () => {
  releases = await startReleaseServer({ version: '99.0.0', url: 'https://floe.example/99' })
  return { environment: { GITHUB_API_URL: releases.url } }
})
let admin: Visitor
let page: Page
let member: Member

beforeAll(async () => {
  admin = await journey.visitAsAdministrator()
  page = admin.page
  member = await journey.visitAsMember()
  for (let number = 0; number < userCount; number += 1) {
    const username = `guest_${String(number).padStart(2, '0')}`
    const data = { username, email: `${username}@example.org`, password: 'a long enough password' }
    const response = await admin.context.request.post('/api/users', { data })
    expect(response.status()).toBe(201)
  }
  for (const id of ['fjord', 'glacier', 'harbour']) {
    await makeShare(member.context.request, { id, files: { 'a.txt': id } })
  }
})

afterAll(() => releases?.stop())

const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })
const bodyRows = () => page.getByRole('row').count()
const said = (text: string) => page.getByRole('alert').getByText(text).waitFor()

test('the home of administration leads to users, shares and configuration', async () => {
  await page.goto('/admin')
  for (const name of ['User management', 'Share management', 'Configuration']) {
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Back to administration' }).click()
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
  }
})

test('each category of the configuration has its settings, and a page of its own around them', async () => {
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Configuration' }).click()
  const categories = page.getByRole('navigation', { name: 'Categories' })
  const settings = {
    General: ['App name', 'App URL', 'Show home page'],
    Share: [
      'Allow registration',
      'Allow shares without an account',
      'Maximum expiration',
      'Maximum size',
      'Archive compression',
      'Chunk size',
    ],
    Email: [
      'Email recipients',
      'Recipients: subject',
      'Recipients: message',
      'Files received: subject',
      'Files received: message',
      'Password reset: subject',
      'Password reset: message',
      'Invitation: subject',
      'Invitation: message',
    ],
    SMTP: ['Enabled', 'Host', 'Port', 'Sender', 'Username', 'Password'],
    'Social login': ['Allow registration', 'Skip two-factor authentication'],
    LDAP: ['Enabled', 'Address', 'Account for searching', 'Search base', 'Search filter'],
    'Virus scan': ['Before the scan', 'Largest file that is scanned', 'Open larger files'],
    Legal: ['Enabled', 'Imprint', 'Address of the imprint', 'Privacy policy'],
    Appearance: ['Color scheme', 'Custom CSS'],
    Notices: ['Storage almost full', 'Failed jobs', 'New version', 'Virus scan', 'New accounts'],
  }
  await expect
    .poll(() => categories.getByRole('link').allInnerTexts())
    .toEqual(Object.keys(settings))
  for (const [name, labels] of Object.entries(settings)) {
    await categories.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    await expect
      .poll(() => categories.locator('[aria-current="page"]').allInnerTexts())
      .toEqual([name])
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    // Nothing holds it as narrow as the other pages are.
    expect((await page.getByRole('banner').boundingBox())?.width).toBe(1280)
    for (const label of labels) await page.getByLabel(label, { exact: true }).waitFor()
    if (name === 'General') await page.getByRole('heading', { name: 'Logo', exact: true }).waitFor()
    if (name === 'SMTP') await page.getByRole('button', { name: 'Send test message' }).waitFor()
  }
  const providers = {
    GitHub: [],
    Google: [],
    Microsoft: ['Tenant'],
    Discord: ['Limited to server'],
    'OpenID Connect': ['Discovery address', 'Username claim'],
  }
  await categories.getByRole('link', { name: 'Social login' }).click()
  for (const [name, labels] of Object.entries(providers)) {
    const group = page.getByRole('group', { name })
    await expect.poll(() => group.getByLabel('Client ID').count()).toBe(0)
    await group.getByLabel('Enabled').check()
    for (const label of ['Client ID', 'Client secret', ...labels]) {
      await group.getByLabel(label, { exact: true }).waitFor()
    }
    await group.getByLabel('Enabled').uncheck()
  }

  await categories.getByRole('link', { name: 'Share', exact: true }).click()
  await page.getByText('From 0 (none, ready at once) to 9 (smallest) for Download all.').waitFor()
  const level = page.getByLabel('Archive compression')
  for (const [typed, taken] of Object.entries({ '12': '9', '-3': '0' })) {
    await level.fill(typed)
    await level.blur()
    await expect.poll(() => level.inputValue()).toBe(taken)
  }
})

test('what no setting can be is told beside it, and cannot be saved', async () => {
  const wrong = {
    general: {
      'App URL': ['nowhere', 'Must start with http:// or https:// and must not contain ? or #'],
      Releases: ['floe', 'Must have the form owner/name'],
    },
    smtp: { Sender: ['floe@', 'Invalid email address'] },
    oauth: {
      Tenant: ['a tenant', 'Can only contain letters, numbers, dots and hyphens'],
      'Discovery address': ['provider.example', 'Must start with http:// or https://'],
    },
    legal: { 'Address of the imprint': ['example.org', 'Must start with http:// or https://'] },
  }
  for (const [category, fields] of Object.entries(wrong)) {
    await page.goto(`/admin/config/${category}`)
    if (category === 'oauth') {
      for (const name of ['Microsoft', 'OpenID Connect']) {
        await page.getByRole('group', { name }).getByLabel('Enabled').check()
      }
    }
    for (const [label, [value = '', text = '']] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByText(text, { exact: true }).waitFor()
    }
    await expect
      .poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
      .toBe(true)
  }
})

test('what was changed can be saved from anywhere on the page, and is not lost unasked', async () => {
  await page.goto('/admin/config/general')
  const categories = page.getByRole('navigation', { name: 'Categories' })
  await categories.getByRole('link', { name: 'Email' }).click()
  await page.getByLabel('Invitation: subject').fill('Come aboard')
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport)
    for (const end of [0, 100_000]) {
      await page.mouse.wheel(0, end || -100_000)
      await expect.poll(() => page.evaluate('scrollY > 0')).toBe(end > 0)
      for (const place of [categories, page.getByRole('button', { name: 'Save', exact: true })]) {
        const { y, height } = (await place.boundingBox()) ?? { y: -1, height: 0 }
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y + height).toBeLessThanOrEqual(viewport.height + 1)
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })

  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await page.goBack()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  await page.waitForURL('**/admin/config/email')
  await expect.poll(() => page.getByLabel('Invitation: subject').inputValue()).toBe('Come aboard')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'General', level: 1 }).waitFor()
  await page.waitForURL('**/admin/config/general')
})

test('a setting that does not exist is refused by its name', async () => {
  const data = [{ key: 'share.nothing', value: 'x' }]
  const response = await admin.context.request.patch('/api/configs/admin', { data })
  expect(await response.json()).toMatchObject({
    message: 'Config variable share.nothing not found',
  })
})

test('users are found a page at a time, and the address keeps the place', async () => {
  await page.goto('/admin/users')
  await page.getByText(`1–50 of ${userCount + 2}`).waitFor()
  expect(await bodyRows()).toBe(51)
  const heads = ['Username', 'Email', 'Admin', 'Two-factor', 'Storage used']
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(heads)
  await page.getByRole('button', { name: 'Page 2' }).click()
  await page.getByText(`51–${userCount + 2} of ${userCount + 2}`).waitFor()
  await page.reload()
  await page.getByText(`51–${userCount + 2} of ${userCount + 2}`).waitFor()
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('GUEST_3')
  await page.getByText('1–10 of 10').waitFor()
  await page.getByRole('button', { name: 'Username' }).click()
  await expect
    .poll(() => page.getByRole('row').nth(1).getByRole('cell').first().innerText())
    .toBe('guest_39')
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('nobody at all')
  await page.getByText('Nothing matches your search.').waitFor()
})

test('a user is created, signs in, is signed out by a new password, and deleted', async () => {
  journey.problems.expectRefusals(
    { path: /^\/api\/users$/, status: 400 },
    { path: /^\/api\/users\/me$/, status: 403 },
    { path: /^\/api\/auth\/token$/, status: 401 },
  )
  const created = newPerson()
  await page.goto('/admin/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  await dialog.getByLabel('Username').fill(member.person.username)
  await dialog.getByLabel('Email').fill(created.email)
  await dialog.getByLabel('Password', { exact: true }).fill('short')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.getByText('Must be at least 8 characters').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(created.password)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.getByText('A user with this username already exists').waitFor()
  await dialog.getByLabel('Username').fill(created.username)
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await said('User created')

  const newcomer = await journey.visit()
  await newcomer.page.goto('/auth/signIn')
  await signIn(newcomer.page, created)
  await newcomer.page.getByRole('heading', { name: 'Upload', level: 1 }).waitFor()

  await page.getByRole('searchbox').fill(created.email)
  await page.getByRole('button', { name: `Edit ${created.username}` }).click()
  const edit = page.getByRole('dialog', { name: `Edit ${created.username}` })
  await edit.getByLabel('New password').fill('another long enough password')
  await edit.getByLabel('Administrator').check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await said('User updated')
  await rowOf(created.username).getByLabel('Yes').waitFor()
  expect(await nameOf(newcomer)).toBeNull()
  await newcomer.leave()

  await page.getByRole('button', { name: `Delete ${created.username}` }).click()
  const warning = 'The account and everything it shared are deleted for good.'
  await page
    .getByRole('dialog', { name: `Delete ${created.username}?` })
    .getByText(warning)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing matches your search.').waitFor()
})

test('the last administrator stays one, and says so', async () => {
  journey.problems.expectRefusals({ path: /^\/api\/users\/[\w-]+$/, status: 400 })
  await page.goto('/admin/users?search=admin')
  await page.getByRole('button', { name: 'Edit admin' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit admin' })
  await edit.getByLabel('Administrator').uncheck()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('You are the last administrator').waitFor()
})

test("everybody's shares are found by link and creator, and deleted one by one or together", async () => {
  await page.goto('/admin/shares')
  await page.getByText('1–3 of 3').waitFor()
  const heads = ['Share ID', 'Creator', 'Visitors', 'Size', 'Expires at', 'Created at']
  await expect.poll(() => page.getByRole('columnheader').allInnerTexts()).toEqual(heads)
  await page.getByRole('searchbox').fill('glac')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('searchbox').fill(member.person.username)
  await page.getByText('1–3 of 3').waitFor()
  await expect
    .poll(() => rowOf('fjord').getByRole('cell').allInnerTexts())
    .toEqual(expect.arrayContaining([member.person.username, '0', expect.stringMatching(/^5\sB$/)]))

  await page.getByLabel('Choose fjord').check()
  await page.getByLabel('Choose harbour').check()
  await page.getByRole('button', { name: 'Delete 2 shares' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await said('2 shares deleted')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('button', { name: 'Delete glacier' }).click()
  await page.getByRole('dialog', { name: 'Delete glacier?' }).getByText('for good').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing matches your search.').waitFor()

  await member.page.goto('/account/shares')
  await member.page.getByRole('heading', { name: 'No shares yet' }).waitFor()
})

test('with a user go its shares', async () => {
  const { request } = member.context
  await makeShare(request, { id: 'island', files: { 'a.txt': 'a' } })
  await page.goto(`/admin/users?search=${member.person.username}`)
  await page.getByRole('button', { name: `Delete ${member.person.username}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await said('User deleted')
  journey.problems.expectRefusals({ path: /^\/api\/shares\/island$/, status: 404 })
  await expect
    .poll(() => admin.context.request.get('/api/shares/all').then((a) => a.json()), {
      timeout: 30_000,
    })
    .toEqual([])
})

test('a message is previewed as it is typed, with nothing saved', async () => {
  await page.goto('/admin/config/email')
  await page.getByText('Default messages are sent in').waitFor()
  await page
    .getByLabel('Recipients: message', { exact: true })
    .fill('{creator} sent <b>this</b>:\n\n{shareUrl}')
  await page.getByRole('button', { name: 'Preview: Recipients: message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview of the message' })
  const message = dialog.frameLocator('iframe')
  await message.getByText('Kim sent <b>this</b>:').waitFor()
  await message.getByRole('link', { name: '/s/example' }).waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  const kept = await page.getByLabel('Recipients: message', { exact: true }).inputValue()
  expect(kept).toContain('shared files with you')
})

test('a newer release is told once a repository is named', async () => {
  await page.goto('/admin')
  await page.getByText(/^Version [\d.]+$/).waitFor()
  await page.goto('/admin/config/general')
  await page.getByLabel('Releases').fill('floe/floe')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await said('Configuration saved')
  await page.goto('/admin')
  const link = page.getByRole('link', { name: 'Version 99.0.0 is available' })
  await expect.poll(() => link.getAttribute('href')).toBe('https://floe.example/99')
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.getByText(/^Version [\d.]+$/).waitFor()
  expect(await link.count()).toBe(0)
})
