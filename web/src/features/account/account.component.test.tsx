// @vitest-environment jsdom
import { within } from '@testing-library/react'
import type { UserView } from '@floe/contracts'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleUser } from '../../testing/samples.ts'
import { useSession } from '../../shared/session/session.ts'
import { AppearanceSection } from './components/AppearanceSection.tsx'
import { DeleteSection } from './components/DeleteSection.tsx'
import { InfoSection } from './components/InfoSection.tsx'
import { PasswordSection } from './components/PasswordSection.tsx'
import { TotpSection } from './components/TotpSection.tsx'

/** A section of the account that the session has by now. */
function ofSession(Section: (props: { user: UserView }) => ReactNode) {
  return function OfSession() {
    const { user } = useSession()
    return user && <Section user={user} />
  }
}

function render(
  Section: (props: { user: UserView }) => ReactNode,
  user: UserView,
  api: Handlers = {},
) {
  const Own = ofSession(Section)
  return renderPage(<Own />, { user, api })
}

const enrolment = { totpAuthUrl: 'otpauth://totp/x', totpSecret: 'ABCDEFGH', qrCode: 'data:,' }
const codes = ['aaaa-bbbb', 'cccc-dddd']

async function setUp(api: Handlers) {
  const page = await render(TotpSection, sampleUser(), {
    'POST /api/auth/totp/enable': ok(enrolment),
    ...api,
  })
  await page.fill('Password', 'long enough')
  await page.press('Enable')
  await page.findByRole('dialog', { name: 'Set up two-factor authentication' })
  return page
}

describe('the own name', () => {
  const own = sampleUser({ showName: true })
  const label = /^Show my name on my shares/

  it('is shown to visitors until that is turned off, which counts at once', async () => {
    const page = await render(InfoSection, sampleUser(), {
      'GET /api/users/me': ok(own),
      'PATCH /api/users/me': ok({ ...own, showName: false }),
    })
    await page.findByText('Visitors see “mona”, never your email address.')
    const toggle = await page.findByRole('switch', { name: label, checked: true })
    await page.user.click(toggle)
    await page.findByRole('switch', { name: label, checked: false })
    await page.findByText('Account updated')
    expect(page.api.changes).toEqual([{ call: 'PATCH /api/users/me', body: { showName: false } }])
  })

  it('stays as it was where it cannot be changed', async () => {
    const page = await render(InfoSection, sampleUser(), {
      'GET /api/users/me': ok(own),
      'PATCH /api/users/me': refuse(500, 'internal'),
    })
    await page.user.click(await page.findByRole('switch', { name: label, checked: true }))
    await expect.poll(() => page.api.changes).toHaveLength(1)
    await page.findByRole('switch', { name: label, checked: true })
  })
})

describe('the second factor', () => {
  it('asks for the password before it is set up', async () => {
    const page = await render(TotpSection, sampleUser())
    await page.press('Enable')
    expect(page.getByText('This field is required')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('says at the field that the password is wrong', async () => {
    const page = await render(TotpSection, sampleUser(), {
      'POST /api/auth/totp/enable': refuse(403, 'wrong_password'),
    })
    await page.fill('Password', 'not this one')
    await page.press('Enable')
    await page.findByText('Invalid password')
    expect(page.queryByRole('dialog')).toBeNull()
  })

  it('is on once the app has proved itself, and shows its recovery codes', async () => {
    const page = await setUp({
      'POST /api/auth/totp/verify': done,
      'POST /api/auth/totp/recoveryCodes': ok({ recoveryCodes: codes }),
    })
    expect(page.getByDisplayValue('ABCD EFGH')).toBeTruthy()
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await page.findByText('aaaa-bbbb')
    expect(page.session().user?.totpVerified).toBe(true)
    expect(page.api.changes.map(({ body }) => body)).toEqual([
      { password: 'long enough' },
      { password: 'long enough', code: '123456' },
      { password: 'long enough' },
    ])
    await page.user.keyboard('{Escape}')
    expect(page.getByText('cccc-dddd')).toBeTruthy()
  })

  it('is not on after a wrong code, which can be typed again', async () => {
    const page = await setUp({ 'POST /api/auth/totp/verify': refuse(400, 'invalid_totp') })
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await page.findByText('This code is not valid')
    expect(page.session().user?.totpVerified).toBe(false)
  })

  it.each([
    ['', 'This field is required'],
    ['123', 'Must be exactly 6 characters'],
  ])('needs all six digits: %j', async (digits, message) => {
    const page = await setUp({})
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    if (digits !== '') await page.user.keyboard(digits)
    await page.press('Verify')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toHaveLength(1)
  })

  it('is on even where its recovery codes could not be made, and says so', async () => {
    const page = await setUp({
      'POST /api/auth/totp/verify': done,
      'POST /api/auth/totp/recoveryCodes': refuse(500, 'internal'),
    })
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await page.findByText(/no recovery codes could be created/)
    expect(page.getByText('Two-factor authentication is on')).toBeTruthy()
  })
})

describe('the second factor that is on', () => {
  it('goes off with the password and a code', async () => {
    const page = await render(TotpSection, sampleUser({ totpVerified: true }), {
      'POST /api/auth/totp/disable': done,
    })
    await page.press('Disable')
    const dialog = within(page.getByRole('dialog'))
    await page.fill('Password', 'long enough')
    await page.fill('Code', ' 123456 ')
    await page.user.click(dialog.getByRole('button', { name: 'Disable' }))
    await page.findByText('Two-factor authentication disabled')
    expect(page.session().user?.totpVerified).toBe(false)
    expect(page.api.changes[0]?.body).toEqual({ password: 'long enough', code: '123456' })
  })

  it('asks an account without a password for the code alone', async () => {
    const page = await render(TotpSection, sampleUser({ totpVerified: true, hasPassword: false }), {
      'POST /api/auth/totp/disable': refuse(400, 'invalid_totp'),
    })
    await page.press('Disable')
    expect(page.queryByLabelText('Password')).toBeNull()
    await page.fill('Code', '123456')
    await page.user.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Disable' }))
    await page.findByText('This code is not valid')
  })

  it('that another tab switched off shows so', async () => {
    const page = await render(TotpSection, sampleUser({ totpVerified: true }), {
      'POST /api/auth/totp/disable': refuse(400, 'totp_not_enabled'),
      'GET /api/users/me': ok(sampleUser()),
    })
    await page.press('Disable')
    await page.fill('Password', 'long enough')
    await page.fill('Code', '123456')
    await page.user.click(within(page.getByRole('dialog')).getByRole('button', { name: 'Disable' }))
    await page.findByRole('button', { name: 'Enable' })
  })
})

describe('an account of the directory', () => {
  const user = sampleUser({ hasPassword: false, isLdap: true })
  const empty = { 'GET /api/users/me': ok(user) }

  it('says where its name and address are changed, which are only shown', async () => {
    const page = await render(InfoSection, user, empty)
    await page.findByText(/^This account comes from a directory/)
    for (const label of ['Username', 'Email']) {
      expect(page.field(label)).toHaveProperty('readOnly', true)
    }
    expect(page.queryByRole('button', { name: 'Save' })).toBeNull()
  })
})

describe('name and address', () => {
  const me = { 'GET /api/users/me': ok(sampleUser()) }

  it('save a new name at once', async () => {
    const page = await render(InfoSection, sampleUser(), {
      ...me,
      'PATCH /api/users/me': ok(sampleUser({ username: 'monika' })),
    })
    await page.fill('Username', 'monika')
    await page.press('Save')
    await page.findByText('Account updated')
    expect(page.session().user?.username).toBe('monika')
  })

  it('show at its field that a name is taken', async () => {
    const page = await render(InfoSection, sampleUser(), {
      ...me,
      'PATCH /api/users/me': refuse(409, 'username_taken'),
    })
    await page.fill('Username', 'nils')
    await page.press('Save')
    await page.findByText('A user with this username already exists')
    expect(page.field('Username').getAttribute('aria-invalid')).toBe('true')
  })

  it('take the password for another address, and say that it is to be confirmed', async () => {
    const page = await render(InfoSection, sampleUser(), {
      ...me,
      'PATCH /api/users/me': ok(sampleUser({ pendingEmail: 'new@floe.example' })),
    })
    await page.fill('Email', 'new@floe.example')
    await page.press('Save')
    expect(page.api.changes).toEqual([])
    await page.fill('Password', 'long enough')
    await page.press('Change email address')
    await page.findByText(/To confirm new@floe\.example, open the link/)
    expect(page.api.changes[0]?.body).toEqual({
      username: 'mona',
      email: 'new@floe.example',
      password: 'long enough',
    })
    expect(page.field('Email')).toHaveProperty('value', 'mona@floe.example')
  })

  it('take a code where there is no password', async () => {
    const user = sampleUser({ hasPassword: false, totpVerified: true })
    const page = await render(InfoSection, user, {
      ...me,
      'PATCH /api/users/me': refuse(403, 'invalid_totp'),
    })
    await page.fill('Email', 'new@floe.example')
    await page.press('Save')
    await page.fill('Code', '123456')
    await page.press('Change email address')
    await page.findByText('This code is not valid')
  })
})

describe('the password', () => {
  it('changes for those who know the old one, and empties the fields', async () => {
    const page = await render(PasswordSection, sampleUser(), { 'PATCH /api/auth/password': done })
    await page.fill('Old password', 'long enough')
    await page.fill('New password', 'longer still')
    await page.press('Change password')
    await page.findByText('Password changed')
    expect(page.field('New password')).toHaveProperty('value', '')
  })

  it.each([
    ['wrong_password', 'Old password', 'Invalid password'],
    ['password_too_common', 'New password', 'This password is too common'],
  ] as const)('shows %s at "%s"', async (code, label, message) => {
    const page = await render(PasswordSection, sampleUser(), {
      'PATCH /api/auth/password': refuse(400, code),
    })
    await page.fill('Old password', 'long enough')
    await page.fill('New password', 'longer still')
    await page.press('Change password')
    const told = await page.findByText(message)
    expect(told.closest('.mantine-InputWrapper-root')?.contains(page.field(label))).toBe(true)
  })

  it('is set without an old one where there is none', async () => {
    const page = await render(PasswordSection, sampleUser({ hasPassword: false }), {
      'PATCH /api/auth/password': done,
    })
    expect(page.queryByLabelText('Old password')).toBeNull()
    await page.fill('New password', 'longer still')
    await page.press('Set password')
    await page.findByText('Password set')
    expect(page.session().user?.hasPassword).toBe(true)
  })
})

describe('deleting the account', () => {
  it('says first what goes with it', async () => {
    const page = await render(DeleteSection, sampleUser())
    await page.press('Delete account')
    expect(page.getByText('the account mona')).toBeTruthy()
    page.getByText('Only the audit log still names you, for as long as it is kept.')
    await page.press('Cancel')
    expect(page.api.changes).toEqual([])
  })

  it('tells the last administrator to make another one first', async () => {
    const page = await render(DeleteSection, sampleUser({ isAdmin: true }), {
      'DELETE /api/users/me': refuse(400, 'last_admin'),
    })
    await page.press('Delete account')
    const dialog = within(page.getByRole('dialog'))
    await page.user.click(dialog.getByRole('button', { name: 'Delete account' }))
    await page.findByText(/You are the last administrator/)
  })
})

describe('the look of the page', () => {
  const stored = (): unknown => JSON.parse(window.localStorage.getItem('preferences') ?? '{}')

  it('is the same wherever it is shown, and leaves what else was chosen meanwhile', async () => {
    window.localStorage.clear()
    const page = await renderPage(
      <>
        <AppearanceSection />
        <AppearanceSection />
      </>,
    )
    window.localStorage.setItem('preferences', JSON.stringify({ folderView: 'gallery' }))
    const [dark, other] = page.getAllByRole('radio', { name: 'Dark' })
    if (!dark || !other) throw new Error('nothing to choose')
    await page.user.click(dark)
    expect(other).toHaveProperty('checked', true)
    expect(stored()).toMatchObject({ colorScheme: 'dark', folderView: 'gallery' })
  })
})
