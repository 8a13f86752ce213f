// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleUser } from '../../testing/samples.ts'
import { Page as NewPasswordPage } from './pages/NewPasswordPage.tsx'
import { Page as ResetRequestPage } from './pages/ResetRequestPage.tsx'
import { Page as SignInPage } from './pages/SignInPage.tsx'
import { Page as SignUpPage } from './pages/SignUpPage.tsx'
import { Page as TotpPage } from './pages/TotpPage.tsx'

const tokens = { accessToken: 'a.b.c', refreshToken: 'r' }

const api = { 'GET /api/oauth/available': ok([]) }
const signIn = (handlers = {}, at = '/auth/signIn') =>
  renderPage(<SignInPage />, { at, path: '/auth/signIn', api: { ...api, ...handlers } })

describe('signing in', () => {
  it('takes both fields before anything is sent', async () => {
    const page = await signIn()
    await page.press('Sign in')
    expect(page.getAllByText('This field is required')).toHaveLength(2)
    expect(page.api.changes).toEqual([])
  })

  it.each([
    ['mona@floe.example', { email: 'mona@floe.example' }],
    [' mona ', { username: 'mona' }],
  ])('sends %j as an address or a name', async (identifier, expected) => {
    const page = await signIn({
      'POST /api/auth/signIn': ok(tokens),
      'GET /api/users/me': ok(sampleUser()),
    })
    await page.fill('Email or username', identifier)
    await page.fill('Password', 'long enough')
    await page.press('Sign in')
    await expect.poll(() => page.session().user?.username).toBe('mona')
    expect(page.api.changes).toEqual([
      { call: 'POST /api/auth/signIn', body: { ...expected, password: 'long enough' } },
    ])
  })

  it('says that the name or the password is wrong, and keeps what was typed', async () => {
    const page = await signIn({ 'POST /api/auth/signIn': refuse(401, 'wrong_credentials') })
    await page.fill('Email or username', 'mona')
    await page.fill('Password', 'not this one')
    await page.press('Sign in')
    const alert = await page.findByRole('alert')
    expect(alert.textContent).toBe('Wrong email, username or password')
    expect(page.getByDisplayValue('mona')).toBeTruthy()
  })

  it('says how long to wait after too many attempts', async () => {
    const page = await signIn({
      'POST /api/auth/signIn': refuse(429, 'too_many_requests', { 'Retry-After': '120' }),
    })
    await page.fill('Email or username', 'mona')
    await page.fill('Password', 'not this one')
    await page.press('Sign in')
    const alert = await page.findByRole('alert')
    expect(alert.textContent).toMatch(/^Too many attempts\. Try again in .*2 min/)
  })
})

describe('where signing in leads', () => {
  it('goes on to the second factor, which leads to the page that was asked for', async () => {
    const page = await signIn(
      { 'POST /api/auth/signIn': ok({ loginToken: 'second-step' }) },
      '/auth/signIn?redirect=%2Faccount',
    )
    await page.fill('Email or username', 'mona')
    await page.fill('Password', 'long enough')
    await page.press('Sign in')
    await expect.poll(() => page.location()).toBe('/auth/totp/second-step?redirect=%2Faccount')
    expect(page.session().user).toBeNull()
  })

  it.each([['//evil.example'], ['https://evil.example'], ['/\\evil.example']])(
    'never leads to %s afterwards',
    async (target) => {
      const page = await signIn(
        { 'POST /api/auth/signIn': ok(tokens), 'GET /api/users/me': ok(sampleUser()) },
        `/auth/signIn?redirect=${encodeURIComponent(target)}`,
      )
      await page.fill('Email or username', 'mona')
      await page.fill('Password', 'long enough')
      await page.press('Sign in')
      await expect.poll(() => page.session().landing).toBe('/upload')
    },
  )

  it('offers registration and a new password only where the server has them', async () => {
    const page = await renderPage(<SignInPage />, {
      api,
      settings: { 'share.allowRegistration': false, 'smtp.enabled': false },
    })
    expect(page.queryByRole('link')).toBeNull()
  })
})

describe('signing up', () => {
  const signUp = (handlers = {}) =>
    renderPage(<SignUpPage />, { at: '/auth/signUp', path: '/auth/signUp', api: handlers })

  it.each([
    ['Username', '', 'This field is required'],
    ['Username', 'ab', 'Must be at least 3 characters'],
    ['Username', 'with spaces', 'Can only contain letters, numbers, dots and underscores'],
    ['Username', 'a'.repeat(33), 'Must be at most 32 characters'],
    ['Email', '', 'This field is required'],
    ['Email', 'not an address', 'Invalid email address'],
    ['Password', '', 'This field is required'],
    ['Password', 'short', 'Must be at least 8 characters'],
  ])('says beside %s why %j cannot be', async (label, text, message) => {
    const page = await signUp()
    await page.fill('Username', 'mona')
    await page.fill('Email', 'mona@floe.example')
    await page.fill('Password', 'long enough')
    await page.fill(label, text)
    await page.press('Sign up')
    expect(page.getByText(message)).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it.each([true, false])(
    'says before the first one what it becomes, and never again (accounts: %s)',
    async (hasAccounts) => {
      const page = await renderPage(<SignUpPage />, {
        at: '/auth/signUp',
        path: '/auth/signUp',
        hasAccounts,
      })
      const text = page.queryByText('The first account here becomes the administrator.')
      expect(text === null).toBe(hasAccounts)
    },
  )

  async function fillAndSend(handlers: Parameters<typeof signUp>[0]) {
    const page = await signUp(handlers)
    await page.fill('Username', 'mona')
    await page.fill('Email', 'mona@floe.example')
    await page.fill('Password', 'long enough')
    await page.press('Sign up')
    return page
  }

  it.each([
    ['username_taken', 'Username', 'A user with this username already exists'],
    ['email_taken', 'Email', 'A user with this email already exists'],
  ] as const)('shows %s at its field', async (code, label, message) => {
    const page = await fillAndSend({ 'POST /api/auth/signUp': refuse(409, code) })
    await page.findByText(message)
    expect(page.field(label).getAttribute('aria-invalid')).toBe('true')
    expect(page.queryByRole('alert')).toBeNull()
  })

  it('says above the fields that registration is closed', async () => {
    const page = await fillAndSend({
      'POST /api/auth/signUp': refuse(403, 'registration_disabled'),
    })
    expect((await page.findByRole('alert')).textContent).toBe('Registration is not allowed')
  })

  it.each([
    [true, '/admin/intro'],
    [false, '/upload'],
  ])('leads an administrator (%s) to %s', async (isAdmin, landing) => {
    const user = sampleUser({ isAdmin })
    const page = await fillAndSend({ 'POST /api/auth/signUp': ok({ ...tokens, user }) })
    await expect.poll(() => page.location()).toBe(landing)
    expect(page.session().user).toEqual(user)
  })
})

describe('a new password', () => {
  it('is promised to any address, so that nobody learns who has an account', async () => {
    const page = await renderPage(<ResetRequestPage />, {
      api: { 'POST /api/auth/resetPassword/nobody%40floe.example': done },
    })
    await page.fill('Email', 'nobody@floe.example')
    await page.press('Send link')
    await page.findByText('Check your inbox')
  })

  it('speaks of no devices to somebody who was invited and has none', async () => {
    const page = await renderPage(<NewPasswordPage />)
    expect(page.queryByText(/[Dd]evices/)).toBeNull()
  })

  it('is too short with seven characters', async () => {
    const page = await renderPage(<NewPasswordPage />)
    await page.fill('New password', '1234567')
    await page.press('Save password')
    expect(page.getByText('Must be at least 8 characters')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  async function choose(handlers: Handlers) {
    const page = await renderPage(<NewPasswordPage />, {
      at: '/auth/resetPassword/link',
      path: '/auth/resetPassword/:token',
      api: handlers,
    })
    await page.fill('New password', 'long enough')
    await page.press('Save password')
    return page
  }

  it('signs somebody who was invited in, and leads to the start page', async () => {
    const page = await choose({
      'POST /api/auth/resetPassword': ok(tokens),
      'GET /api/users/me': ok(sampleUser()),
    })
    await expect.poll(() => page.location()).toBe('/upload')
    expect(page.session().user?.username).toBe('mona')
  })

  it('leaves it to everybody else to sign in', async () => {
    const page = await choose({ 'POST /api/auth/resetPassword': done })
    await page.findByText('Password saved')
    expect(page.getByRole('link', { name: 'Sign in' })).toBeTruthy()
    expect(page.session().user).toBeNull()
  })

  it('cannot be set by a link that was used, and another one is offered', async () => {
    const page = await renderPage(<NewPasswordPage />, {
      at: '/auth/resetPassword/used',
      path: '/auth/resetPassword/:token',
      settings: { 'smtp.enabled': true },
      api: { 'POST /api/auth/resetPassword': refuse(400, 'invalid_reset_token') },
    })
    await page.fill('New password', 'long enough')
    await page.press('Save password')
    await page.findByText('This link no longer works')
    expect(page.getByRole('link', { name: 'Request a new link' })).toBeTruthy()
  })
})

describe('the second factor', () => {
  const asked = {
    call: 'POST /api/auth/signIn/passkey/options',
    body: { loginToken: 'step' },
  }
  const open = (handlers: Handlers) =>
    renderPage(<TotpPage />, {
      at: '/auth/totp/step',
      path: '/auth/totp/:loginToken',
      api: { [asked.call]: ok({ options: null, hasTotp: true }), ...handlers },
    })
  const totp = async (handlers: Handlers) => {
    const page = await open(handlers)
    await page.findByLabelText('Digit 1 of 6')
    return page
  }

  it('is sent as soon as the last digit is there', async () => {
    const page = await totp({
      'POST /api/auth/signIn/totp': ok(tokens),
      'GET /api/users/me': ok(sampleUser()),
    })
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await expect.poll(() => page.session().user?.username).toBe('mona')
    expect(page.api.changes).toEqual([
      asked,
      { call: 'POST /api/auth/signIn/totp', body: { loginToken: 'step', totp: '123456' } },
    ])
  })

  it.each([
    ['', 'This field is required'],
    ['12345', 'Must be exactly 6 characters'],
  ])('is not sent as %j', async (digits, message) => {
    const page = await totp({})
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    if (digits !== '') await page.user.keyboard(digits)
    await page.press('Verify')
    expect(page.getByRole('alert').textContent).toBe(message)
    expect(page.api.changes).toEqual([asked])
  })

  it('is asked for again when it was wrong', async () => {
    const page = await totp({ 'POST /api/auth/signIn/totp': refuse(401, 'invalid_totp') })
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await page.findByText('This code is not valid')
    expect(page.getAllByLabelText(/^Digit/).map((box) => box.getAttribute('value'))).toEqual(
      Array.from({ length: 6 }, () => ''),
    )
  })

  it('leads back to the sign-in once the attempt is over', async () => {
    const page = await totp({ 'POST /api/auth/signIn/totp': refuse(401, 'unauthorized') })
    await page.user.click(page.getByLabelText('Digit 1 of 6'))
    await page.user.keyboard('123456')
    await page.findByText('This sign-in took too long or has already been used.')
  })

  it('of an account without an app is a passkey, or a recovery code', async () => {
    const page = await open({
      [asked.call]: ok({ options: { challenge: 'abc' }, hasTotp: false }),
      'POST /api/auth/signIn/totp': ok(tokens),
      'GET /api/users/me': ok(sampleUser()),
    })
    // Where the browser has none.
    await page.findByText(/^Passkeys work at the public address/)
    expect(page.queryByLabelText('Digit 1 of 6')).toBeNull()
    await page.press('Use a recovery code')
    await page.fill('Recovery code', 'abcd-efgh-ijkl-mnop')
    await page.press('Verify')
    await expect.poll(() => page.session().user?.username).toBe('mona')
  })

  it('can be given by code where nobody can say what else there is', async () => {
    const page = await totp({ [asked.call]: refuse(503, 'upstream_unavailable') })
    expect(page.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
  })

  it('leads back to the sign-in at once where the attempt is over already', async () => {
    const page = await open({ [asked.call]: refuse(401, 'unauthorized') })
    await page.findByText('This sign-in took too long or has already been used.')
  })
})
