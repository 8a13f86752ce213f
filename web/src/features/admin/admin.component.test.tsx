// @vitest-environment jsdom
import { waitFor, within } from '@testing-library/react'
import { configCatalogue, isConfigKey } from '@floe/contracts'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { PageLink } from '../../shared/components/PageLink.tsx'
import { type Page, renderPage } from '../../testing/render-page.tsx'
import { sampleToken, sampleUser } from '../../testing/samples.ts'
import { ConfigForm } from './components/ConfigForm.tsx'
import { CreateUserDialog } from './components/CreateUserDialog.tsx'
import { LogoPanel } from './components/LogoPanel.tsx'
import { TryDirectory } from './components/TryDirectory.tsx'
import { TryProvider } from './components/TryProvider.tsx'
import { toFields } from './config-fields.ts'
import type { Category } from '../../shared/settings/setting-places.ts'
import { Page as IntroPage } from './pages/IntroPage.tsx'
import { Page as UsersPage } from './pages/UsersPage.tsx'

const isDisabled = (button: HTMLElement) => 'disabled' in button && button.disabled === true

describe('a new user', () => {
  async function open(api: Handlers = {}, settings = {}) {
    let isClosed = false
    const dialog = <CreateUserDialog onClose={() => (isClosed = true)} />
    const page = await renderPage(dialog, { api, settings })
    await page.fill('Username', 'nils')
    await page.fill('Email', 'nils@floe.example')
    return { page, isClosed: () => isClosed }
  }

  it('has a password set here where the server sends no mails', async () => {
    const { page, isClosed } = await open({ 'POST /api/users': done })
    expect(page.queryByRole('switch', { name: /^Set a password now/ })).toBeNull()
    await page.fill('Password', 'long enough')
    await page.press('Create user')
    await page.findByText('User created')
    expect(isClosed()).toBe(true)
    expect(page.api.changes[0]?.body).toEqual({
      username: 'nils',
      email: 'nils@floe.example',
      isAdmin: false,
      storageLimit: null,
      shareSizeLimit: null,
      password: 'long enough',
    })
  })

  it('is invited by mail where the server sends some, without a password', async () => {
    const { page } = await open({ 'POST /api/users': done }, { 'smtp.enabled': true })
    expect(page.getByRole('switch', { name: /^Set a password now/ })).toBeTruthy()
    expect(page.queryByLabelText('Password')).toBeNull()
    await page.press('Create user')
    await page.findByText('User created')
    expect(page.api.changes[0]?.body).not.toHaveProperty('password')
  })

  it('may have a limit of storage and be an administrator', async () => {
    const { page } = await open({ 'POST /api/users': done })
    await page.fill('Password', 'long enough')
    await page.fill('Storage limit in GB', '2.5')
    await page.fill('Largest share in GB', '0.5')
    await page.user.click(page.getByLabelText('Administrator'))
    await page.press('Create user')
    await page.findByText('User created')
    expect(page.api.changes[0]?.body).toMatchObject({
      isAdmin: true,
      storageLimit: 2_500_000_000,
      shareSizeLimit: 500_000_000,
    })
  })

  it('needs a password of eight characters', async () => {
    const { page } = await open()
    await page.fill('Password', '1234567')
    await page.press('Create user')
    expect(page.getByText('Must be at least 8 characters')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it.each([
    ['username_taken', 'Username', 'A user with this username already exists'],
    ['email_taken', 'Email', 'A user with this email already exists'],
  ] as const)('shows %s at its field', async (code, label, message) => {
    const { page, isClosed } = await open({ 'POST /api/users': refuse(409, code) })
    await page.fill('Password', 'long enough')
    await page.press('Create user')
    await page.findByText(message)
    expect(page.field(label).getAttribute('aria-invalid')).toBe('true')
    expect(isClosed()).toBe(false)
  })
})

describe('the list of users', () => {
  const nils = sampleUser({ id: '7d444840-9dc0-41d1-b245-5ffdce74fad2', username: 'nils' })
  const render = (api: Handlers) =>
    renderPage(<UsersPage />, {
      at: '/admin/users',
      path: '/admin/users',
      api: {
        'GET /api/users': ok([nils], { 'X-Total-Count': '1' }),
        'GET /api/users/storage': ok([{ userId: nils.id, usedBytes: 3_000_000 }]),
        ...api,
      },
    })

  it('tells what each stores', async () => {
    const page = await render({})
    await page.findByText('3 MB')
  })

  it('keeps what is searched for in the address', async () => {
    const page = await render({})
    await page.findByText('nils')
    page.api.handle({ 'GET /api/users': ok([], { 'X-Total-Count': '0' }) })
    await page.fill('Search by name or email', 'olga')
    await page.findByText('Nothing matches your search.')
    expect(page.location()).toBe('/admin/users?search=olga')
  })

  it('saves what differs about a user, and nothing else', async () => {
    const page = await render({ [`PATCH /api/users/${nils.id}`]: done })
    await page.user.click(await page.findByRole('button', { name: 'Edit nils' }))
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
    await page.fill('New password', 'long enough')
    await page.press('Save')
    await page.findByText('User updated')
    expect(page.api.changes.map(({ body }) => body)).toEqual([{ password: 'long enough' }])
  })

  it('keeps the last administrator, and says so', async () => {
    const page = await render({ [`DELETE /api/users/${nils.id}`]: refuse(400, 'last_admin') })
    await page.user.click(await page.findByRole('button', { name: 'Delete nils' }))
    expect(page.api.changes).toEqual([])
    await page.press('Delete')
    await page.findByText(/You are the last administrator/)
  })

  it('leads to the tokens of a user, to revoke them', async () => {
    const token = sampleToken()
    const asked: (string | null)[] = []
    const page = await render({
      'GET /api/tokens': (request) => {
        asked.push(request.search.get('userId'))
        return ok([token])(request)
      },
      [`DELETE /api/tokens/${token.id}`]: done,
    })
    await page.user.click(await page.findByRole('button', { name: 'Access tokens of nils' }))
    await page.user.click(await page.findByRole('button', { name: 'Revoke Backup' }))
    expect(page.api.changes).toEqual([])
    page.api.handle({ 'GET /api/tokens': ok([]) })
    await page.press('Revoke')
    await page.findByText('No tokens yet')
    expect(page.getByRole('dialog', { name: 'Access tokens of nils' })).toBeTruthy()
    expect(asked).toEqual([nils.id])
  })

  it('shows which rules hold for a user and why, and saves exceptions', async () => {
    const held = { ...nils, storageLimit: 5_000_000, sharingExceptions: { maxExpiration: 48 } }
    const page = await render({
      'GET /api/users': ok([held], { 'X-Total-Count': '1' }),
      'GET /api/configs/admin/share': ok(variables('share', { 'share.passwordRequired': 'true' })),
      'GET /api/configs/admin/general': ok(variables('general')),
      'GET /api/configs/admin/oauth': ok(variables('oauth')),
      [`PATCH /api/users/${nils.id}`]: done,
    })
    await page.user.click(await page.findByRole('button', { name: 'Rules for nils' }))
    await page.findByRole('row', { name: 'Maximum expiration 2 days Exception for this account' })
    const row = (text: string | RegExp) => page.getByRole('row', { name: text })
    row('Every share needs a password Yes Configuration')
    row(/^Storage per user 5.MB Exception for this account$/)
    row('Maximum size No limit Configuration')
    row('Session duration 90 days Configuration')
    row('Second factor No Configuration')
    row('Sign in with providers only No Configuration')
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
    await page.fill('Maximum expiration, in days', '')
    await page.user.selectOptions(page.getByLabelText('Every share needs a password'), 'No')
    row('Maximum expiration No limit Configuration')
    row('Every share needs a password No Exception for this account')
    await page.press('Save')
    await page.findByText('User updated')
    expect(page.api.changes[0]?.body).toEqual({ sharingExceptions: { passwordRequired: false } })
  })
})

function variables(category: Category, set: Record<string, string> = {}, fixed: string[] = []) {
  const keys = Object.keys(configCatalogue).filter(isConfigKey)
  return keys
    .filter((key) => key.startsWith(`${category}.`))
    .map((key) => ({
      key,
      value: set[key] ?? null,
      defaultValue: String(configCatalogue[key].default),
      updatedAt: key in set ? '2026-01-01T00:00:00.000Z' : null,
      allowEdit: !fixed.includes(key),
    }))
}

const renderConfig = (
  category: Category,
  api: Handlers = {},
  ...options: [Record<string, string>?, string[]?]
) =>
  renderPage(
    <ConfigForm category={category} fields={toFields(variables(category, ...options))} />,
    { api: { 'GET /api/configs': ok([]), ...api } },
  )

describe('the configuration', () => {
  it('can be saved once something differs, and not when it is as it was', async () => {
    const page = await renderConfig('general')
    const save = page.getByRole('button', { name: 'Save' })
    expect(isDisabled(save)).toBe(true)
    await page.fill('App name', 'Ice')
    expect(isDisabled(save)).toBe(false)
    await page.fill('App name', 'Floe')
    expect(isDisabled(save)).toBe(true)
  })

  it('sends what was changed, and nothing else', async () => {
    const page = await renderConfig('general', {
      'PATCH /api/configs/admin': ok([]),
      'GET /api/configs': ok([{ key: 'general.appName', value: 'Ice' }]),
    })
    await page.fill('App name', 'Ice')
    await page.user.click(page.getByLabelText('Show home page'))
    await page.press('Save')
    await page.findByText('Configuration saved')
    expect(page.api.changes).toEqual([
      {
        call: 'PATCH /api/configs/admin',
        body: [
          { key: 'general.appName', value: 'Ice' },
          { key: 'general.showHomePage', value: false },
        ],
      },
    ])
    expect(page.session().settings['general.appName']).toBe('Ice')
  })

  it.each([
    'general',
    'share',
    'email',
    'smtp',
    'oauth',
    'legal',
    'appearance',
    'notices',
  ] as const)(
    'says what each field of %s does, also to those who do not see it',
    async (category) => {
      const page = await renderConfig(category)
      const form = page.getByRole('button', { name: 'Save' }).closest('body')
      const fields = form?.querySelectorAll(':is(input, select, textarea):not([aria-hidden])') ?? []
      const undescribed = [...fields].filter((field) => {
        const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
        return !ids.some((id) => document.querySelector(`[id="${id}"]`)?.textContent)
      })
      expect(fields.length).toBeGreaterThan(0)
      expect(undescribed.map(({ id, outerHTML }) => id || outerHTML)).toEqual([])
    },
  )

  it('says beside a field what it cannot be, and is not saved', async () => {
    const page = await renderConfig('general')
    await page.fill('App URL', 'floe.example')
    expect(
      page.getByText('Must start with http:// or https:// and must not contain ? or #'),
    ).toBeTruthy()
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
  })

  it('says why the server refuses it, and keeps what was typed', async () => {
    const page = await renderConfig('general', {
      'PATCH /api/configs/admin': refuse(400, 'config_out_of_range'),
    })
    await page.fill('App name', 'Ice')
    await page.press('Save')
    await page.findByText('A value is out of range')
    expect(page.getByDisplayValue('Ice')).toBeTruthy()
  })
})

describe('what was changed', () => {
  it('is marked until it is as it was, or saved', async () => {
    const page = await renderConfig('general', { 'PATCH /api/configs/admin': ok([]) })
    expect(page.queryByText('Changed')).toBeNull()
    await page.fill('App name', 'Ice')
    expect(page.getAllByText('Changed')).toHaveLength(1)
    await page.fill('App name', 'Floe')
    expect(page.queryByText('Changed')).toBeNull()
    const home = page.getByLabelText('Show home page')
    await page.user.click(home)
    expect(home.getAttribute('aria-describedby')).toContain(page.getByText('Changed').id)
    await page.press('Save')
    await page.findByText('Configuration saved')
    expect(page.queryByText('Changed')).toBeNull()
  })

  const isTabHeld = () => {
    const closing = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(closing)
    return closing.defaultPrevented
  }

  it('is not lost by a link without a question', async () => {
    const page = await renderPage(
      <>
        <PageLink to="/admin/config/smtp">SMTP</PageLink>
        <ConfigForm category="general" fields={toFields(variables('general'))} />
      </>,
      { path: '/admin/config/general', at: '/admin/config/general' },
    )
    await page.fill('App name', 'Ice')
    expect(isTabHeld()).toBe(true)
    await page.user.click(page.getByRole('link', { name: 'SMTP' }))
    const dialog = await page.findByRole('dialog', { name: 'Discard your changes?' })
    await page.user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(page.location()).toBe('/admin/config/general')
    expect(page.getByDisplayValue('Ice')).toBeTruthy()
    await page.user.click(page.getByRole('link', { name: 'SMTP' }))
    await page.press('Discard changes')
    await waitFor(() => expect(page.location()).toBe('/admin/config/smtp'))
    expect(isTabHeld()).toBe(false)
  })

  it('asks nothing where nothing differs', async () => {
    const page = await renderPage(
      <>
        <PageLink to="/admin/config/smtp">SMTP</PageLink>
        <ConfigForm category="general" fields={toFields(variables('general'))} />
      </>,
      { path: '/admin/config/general', at: '/admin/config/general' },
    )
    await page.fill('App name', 'Ice')
    await page.fill('App name', 'Floe')
    expect(isTabHeld()).toBe(false)
    await page.user.click(page.getByRole('link', { name: 'SMTP' }))
    await waitFor(() => expect(page.location()).toBe('/admin/config/smtp'))
  })
})

describe('the address of a setting', () => {
  const open = (category: Category, hash: string, fixed: string[] = []) =>
    renderPage(
      <ConfigForm category={category} fields={toFields(variables(category, {}, fixed))}>
        <LogoPanel variant="light" />
        <LogoPanel variant="dark" />
      </ConfigForm>,
      { at: `/admin/config/${category}${hash}` },
    )

  it.each([
    ['smtp', '#smtp.host', 'Host'],
    ['smtp', '#smtp.enabled', 'Enabled'],
    ['smtp', '#smtp.tls', 'Encryption'],
    ['share', '#share.maxSize', 'Maximum size'],
    ['email', '#email.inviteMessage', 'Invitation: message'],
  ] as const)('%s%s gives the focus to “%s”', async (category, hash, label) => {
    const page = await open(category, hash)
    expect(document.activeElement).toBe(page.getByLabelText(label))
  })

  it('unfolds the provider it belongs to', async () => {
    await open('oauth', '#oauth.google-clientSecret')
    const row = document.activeElement?.closest('[id="oauth.google-clientSecret"]')
    expect(row).toBeTruthy()
  })

  it('leads to the row of one that cannot be changed here', async () => {
    await open('smtp', '#smtp.host', ['smtp.host'])
    expect(document.activeElement?.id).toBe('smtp.host')
  })

  it.each([
    ['#logo', 'Logo'],
    ['#dark-logo', 'Logo for dark mode'],
  ])('leads to a logo, too: %s', async (hash, name) => {
    const page = await open('general', hash)
    const panel = within(page.getByRole('group', { name }))
    expect(document.activeElement).toBe(panel.getByRole('button', { name: 'Choose a PNG' }))
  })

  it('that is none leaves the focus alone', async () => {
    await open('smtp', '#%')
    expect(document.activeElement).toBe(document.body)
  })
})

describe('a provider of social login', () => {
  const groupOf = (page: Page, name: string) => within(page.getByRole('group', { name }))

  it('is folded until it is enabled', async () => {
    const page = await renderConfig('oauth', {}, { 'oauth.github-enabled': 'true' })
    expect(groupOf(page, 'GitHub').getByLabelText('Client ID')).toBeTruthy()
    const google = groupOf(page, 'Google')
    expect(google.queryByLabelText('Client ID')).toBeNull()
    expect(google.queryByLabelText('Redirect address')).toBeNull()
    await page.user.click(google.getByLabelText('Enabled'))
    expect(google.getByLabelText('Client ID')).toBeTruthy()
    expect(google.getByLabelText('Redirect address')).toBeTruthy()
  })

  it('stays open as long as something was entered for it', async () => {
    const page = await renderConfig('oauth')
    const google = groupOf(page, 'Google')
    await page.user.click(google.getByLabelText('Enabled'))
    await page.user.type(google.getByLabelText('Client ID'), 'floe')
    await page.user.click(google.getByLabelText('Enabled'))
    expect(google.getByDisplayValue('floe')).toBeTruthy()
  })
})

describe('what is special about a setting', () => {
  it('shows what the environment sets, and lets nobody change it', async () => {
    const page = await renderConfig('general', {}, {}, ['general.appUrl'])
    expect(page.getByText("Set by the server's environment.")).toBeTruthy()
    expect(page.field('App URL')).toHaveProperty('disabled', true)
  })

  it('never shows a secret, and removes it only when asked', async () => {
    const page = await renderConfig(
      'smtp',
      { 'PATCH /api/configs/admin': ok([]) },
      { 'smtp.password': '' },
    )
    const secret = page.getByPlaceholderText('Set')
    expect(secret).toHaveProperty('value', '')
    await page.press('Remove')
    expect(page.getByPlaceholderText('Removed when you save')).toBeTruthy()
    await page.press('Save')
    await page.findByText('Configuration saved')
    expect(page.api.changes[0]?.body).toEqual([{ key: 'smtp.password', value: '' }])
  })

  it('keeps a secret after all', async () => {
    const page = await renderConfig('smtp', {}, { 'smtp.password': '' })
    await page.press('Remove')
    await page.press('Keep')
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
  })

  it('takes a number in a unit of choice, and sends it in that of the setting', async () => {
    const page = await renderConfig('share', { 'PATCH /api/configs/admin': ok([]) })
    await page.fill('Maximum expiration', '2')
    await page.user.selectOptions(page.getByLabelText('Unit of Maximum expiration'), 'Days')
    await page.press('Save')
    await page.findByText('Configuration saved')
    expect(page.api.changes[0]?.body).toEqual([{ key: 'share.maxExpiration', value: 48 }])
  })

  it('previews a message as it is typed, with nothing saved', async () => {
    const page = await renderConfig('email', {
      'POST /api/configs/admin/previewEmail': ok({ subject: 'Hello', html: '<p>Hi</p>' }),
    })
    const [preview] = page.getAllByRole('button', { name: /^Preview/ })
    if (!preview) throw new Error('no preview')
    await page.user.click(preview)
    await within(await page.findByRole('dialog')).findByText('Hello')
    expect(page.api.changes.map(({ call }) => call)).toEqual([
      'POST /api/configs/admin/previewEmail',
    ])
  })
})

describe('trying a provider', () => {
  it.each([
    ['social_client_rejected', 'GitHub rejected these credentials'],
    ['social_check_failed', 'GitHub could not be checked'],
  ] as const)('tells rejected credentials from a provider out of reach: %s', async (code, says) => {
    const api: Handlers = { 'POST /api/oauth/check/github': refuse(400, code) }
    const page = await renderPage(<TryProvider provider="github" />, { api })
    await page.press('Try GitHub')
    await page.findByText(says)
    expect(page.getByText(code)).toBeTruthy()
  })
})

describe('the domains of addresses', () => {
  it('are not saved where one is none', async () => {
    const page = await renderConfig('general')
    await page.fill('Allowed email domains', 'ann@example.org')
    await page.findByText(
      'Must be domains such as example.org or *.example.org, separated by commas',
    )
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
    await page.fill('Allowed email domains', 'example.org, *.example.org')
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(false)
  })
})

describe('the settings of the directory', () => {
  it.each([
    [
      'Address',
      'https://ldap.example.org',
      'Must be addresses such as ldaps://ldap.example.org, separated by spaces',
    ],
    [
      'Address',
      'ldap://one.example.org/dc=example',
      'Must be addresses such as ldaps://ldap.example.org, separated by spaces',
    ],
    ['Search filter', '(uid=anna)', 'Must contain %username%'],
    ['Attribute for email', 'no attribute', 'Must be the name of an attribute'],
    ['Certificate of the authority', 'no certificate', 'Must be certificates in PEM format'],
  ])('%s is not saved as %s', async (field, value, says) => {
    const page = await renderConfig('ldap')
    await page.fill(field, value)
    await page.findByText(says)
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(true)
  })

  it('several addresses are', async () => {
    const page = await renderConfig('ldap')
    await page.fill('Address', 'ldaps://one.example.org ldap://two.example.org:3389')
    expect(isDisabled(page.getByRole('button', { name: 'Save' }))).toBe(false)
  })
})

describe('trying the directory', () => {
  it('shows whom it found', async () => {
    const found = {
      ...{ entry: 'uid=anna,dc=example', email: 'anna@example.org' },
      ...{ groups: [], isAdmin: null },
    }
    const api: Handlers = { 'POST /api/auth/directory/check': ok(found) }
    const page = await renderPage(<TryDirectory />, { api })
    await page.press('Try LDAP')
    await page.findByText('uid=anna,dc=example · anna@example.org')
    expect(page.getByText('In no group')).toBeTruthy()
    expect(page.queryByText(/be an administrator/)).toBeNull()
  })

  it.each([
    [true, 'Would be an administrator'],
    [false, 'Would not be an administrator'],
  ])(
    'shows the groups of somebody named, and what they make of them: %s',
    async (isAdmin, says) => {
      const groups = ['cn=one,dc=example', 'cn=two,dc=example']
      const found = { entry: 'uid=anna,dc=example', email: null, groups, isAdmin }
      const api: Handlers = { 'POST /api/auth/directory/check': ok(found) }
      const page = await renderPage(<TryDirectory />, { api })
      await page.fill('Username (optional)', ' anna ')
      await page.press('Try LDAP')
      await page.findByText(/cn=one,dc=example\s+cn=two,dc=example/)
      expect(page.getByText(says)).toBeTruthy()
      expect(page.api.changes[0]?.body).toEqual({ username: 'anna' })
    },
  )

  it.each([
    ['directory_check_failed', 'directory_check_failed'],
    ['directory_nobody_found', 'The directory finds nobody by this name, or more than one entry.'],
    ['directory_check_incomplete', 'Enter and save the address, search base and password first.'],
  ] as const)('says what is wrong: %s', async (code, says) => {
    const api: Handlers = { 'POST /api/auth/directory/check': refuse(400, code) }
    const page = await renderPage(<TryDirectory />, { api })
    await page.press('Try LDAP')
    await page.findByText('LDAP could not be checked')
    expect(page.getByText(says)).toBeTruthy()
  })
})

describe('the welcome', () => {
  const render = (api: Handlers) =>
    renderPage(<IntroPage />, {
      at: '/admin/intro',
      path: '/admin/intro',
      isSetUp: false,
      user: sampleUser({ isAdmin: true }),
      api,
    })

  it('proposes the address it was opened at, saves and leads to sharing', async () => {
    const page = await render({
      'POST /api/configs/admin/finishSetup': done,
      'GET /api/configs': ok([]),
    })
    expect(page.field('App URL')).toHaveProperty('value', window.location.origin)
    await page.fill('App name', 'Ice')
    await page.press('Save and start sharing')
    await expect.poll(() => page.location()).toBe('/')
    // It is the default's own address here, so that only the name differs.
    expect(page.api.changes[0]?.body).toEqual({
      changes: [{ key: 'general.appName', value: 'Ice' }],
    })
  })

  it('cannot be left with an address that is none', async () => {
    const page = await render({})
    await page.fill('App URL', 'nonsense')
    expect(isDisabled(page.getByRole('button', { name: 'Save and start sharing' }))).toBe(true)
    expect(isDisabled(page.getByRole('button', { name: 'Save and see all settings' }))).toBe(true)
  })
})
