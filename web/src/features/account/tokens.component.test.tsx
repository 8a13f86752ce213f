// @vitest-environment jsdom
import { type ApiToken, type CreatedToken, tokenScopes } from '@floe/contracts'
import { within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { done, type Handlers, ok, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { sampleToken, sampleUser } from '../../testing/samples.ts'
import { TokensSection } from './components/TokensSection.tsx'

const text = `floe_${'a'.repeat(36)}`

function render(tokens: ApiToken[], api: Handlers = {}, user = sampleUser()) {
  return renderPage(<TokensSection />, {
    user,
    settings: { 'general.appUrl': 'https://files.example' },
    api: { 'GET /api/tokens': ok(tokens), ...api },
  })
}

async function openDialog(api: Handlers = {}, user = sampleUser()) {
  const page = await render([], api, user)
  await page.findByText('No tokens yet')
  await page.press('New token')
  await page.findByRole('dialog', { name: 'New token' })
  return page
}

const made = (changes: Partial<CreatedToken> = {}): Handlers => ({
  'POST /api/tokens': ok({ ...sampleToken(), token: text, ...changes }),
})

describe('the list of tokens', () => {
  it('tells what each may, until when, and who used it last', async () => {
    const lastUse = { at: new Date().toISOString(), address: '192.0.2.7', userAgent: 'curl/8.5.0' }
    const page = await render([sampleToken({ lastUse, networks: ['192.0.2.0/24'] })])
    const row = within(await page.findByRole('listitem'))
    for (const told of [
      'Backup',
      'floe_abcde…',
      'shares:read',
      'shares:write',
      'Only from these networks',
      '192.0.2.0/24',
      'Last used now',
      '192.0.2.7',
      'curl',
    ]) {
      expect(row.getByText(told)).toBeTruthy()
    }
    expect(row.getByText(/^Expires /)).toBeTruthy()
  })

  it('tells one that has expired from one that never does, and one that was never used', async () => {
    const page = await render([
      sampleToken({ name: 'Old', expiresAt: '2026-01-02T03:04:05.000Z' }),
      sampleToken({ id: '1b9d7c55-6a3a-4f0e-9a39-0f4a1c1d2e3f', name: 'New', expiresAt: null }),
    ])
    const [old, fresh] = (await page.findAllByRole('listitem')).map((row) => within(row))
    expect(old?.getByText('Expired')).toBeTruthy()
    expect(old?.queryByText(/^Expires /)).toBeNull()
    expect(fresh?.getByText('Never expires')).toBeTruthy()
    expect(fresh?.getByText('Never used')).toBeTruthy()
  })

  it.each([
    ['revoked', done],
    ['revoked elsewhere meanwhile', refuse(404, 'token_not_found')],
  ])('asks before one is revoked, and is without it once it was %s', async (_, outcome) => {
    const token = sampleToken()
    const page = await render([token], { [`DELETE /api/tokens/${token.id}`]: outcome })
    await page.user.click(await page.findByRole('button', { name: 'Revoke Backup' }))
    const dialog = within(page.getByRole('dialog', { name: 'Revoke Backup?' }))
    expect(page.api.changes).toEqual([])
    page.api.handle({ 'GET /api/tokens': ok([]) })
    await page.user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await page.findByText('No tokens yet')
    expect(page.queryByRole('alert')).toBeNull()
  })
})

describe('a new token', () => {
  it('reads and makes shares for 90 days, unless something else is chosen', async () => {
    const page = await openDialog(made())
    await page.fill('Name', ' Backup ')
    await page.press('Create token')
    await page.findByRole('dialog', { name: 'Your new token' })
    expect(page.api.changes[0]?.body).toEqual({
      name: 'Backup',
      scopes: ['shares:read', 'shares:write'],
      expiresIn: '90-days',
      networks: [],
      maxShareSize: null,
      maxExpiration: null,
    })
  })

  it('takes other scopes, another end and limits of its own', async () => {
    const page = await openDialog(made())
    await page.fill('Name', 'Backup')
    await page.user.click(page.getByLabelText('shares:write'))
    await page.user.click(page.getByLabelText('files:read'))
    await page.user.selectOptions(page.getByLabelText('Valid for'), '1 year')
    await page.press('Restrict further')
    await page.fill('Only from these networks', '192.0.2.0/24\n2001:db8::1')
    await page.fill('Largest share in GB', '0.5')
    await page.user.selectOptions(page.getByLabelText('Longest expiry of a share'), '7 days')
    await page.press('Create token')
    await page.findByRole('dialog', { name: 'Your new token' })
    expect(page.api.changes[0]?.body).toEqual({
      name: 'Backup',
      scopes: ['shares:read', 'files:read'],
      expiresIn: '1-year',
      networks: ['192.0.2.0/24', '2001:db8::1'],
      maxShareSize: 500_000_000,
      maxExpiration: '7-days',
    })
  })

  it('needs a name, a scope and networks that are some', async () => {
    const page = await openDialog()
    await page.user.click(page.getByLabelText('shares:read'))
    await page.user.click(page.getByLabelText('shares:write'))
    await page.press('Restrict further')
    await page.fill('Only from these networks', '192.0.2.0/24 home')
    await page.press('Create token')
    expect(page.getByText('This field is required')).toBeTruthy()
    expect(page.getByText('Choose at least one')).toBeTruthy()
    expect(page.getByText('Not an address or network: home')).toBeTruthy()
    expect(page.api.changes).toEqual([])
  })

  it('offers the scopes of administrators to them alone, each with what it is for', async () => {
    const member = await openDialog()
    expect(member.queryByLabelText('admin:users')).toBeNull()
    const offered = tokenScopes.filter((scope) => !scope.startsWith('admin:'))
    for (const scope of offered) {
      const id = member.getByLabelText(scope).getAttribute('aria-describedby') ?? ''
      expect(document.getElementById(id)?.textContent, scope).not.toBe('')
    }
  })

  it('offers administrators all scopes', async () => {
    const page = await openDialog({}, sampleUser({ isAdmin: true }))
    for (const scope of tokenScopes) expect(page.getByLabelText(scope)).toBeTruthy()
  })

  it.each([
    [409, 'too_many_tokens', /too many access tokens/],
    [403, 'forbidden', /not allowed to do this/],
    [400, 'validation_failed', /is not valid/],
  ] as const)('says in the dialog that the server refused it: %i %s', async (...refusal) => {
    const [status, code, message] = refusal
    const page = await openDialog({ 'POST /api/tokens': refuse(status, code) })
    await page.fill('Name', 'Backup')
    await page.press('Create token')
    const dialog = within(page.getByRole('dialog', { name: 'New token' }))
    expect((await dialog.findByRole('alert')).textContent).toMatch(message)
  })

  it('is shown once, with a line for a terminal', async () => {
    const page = await openDialog(made())
    await page.fill('Name', 'Backup')
    await page.press('Create token')
    await page.findByText('Copy it now. It will not be shown again.')
    expect(page.field('Token')).toHaveProperty('value', text)
    expect(page.field('Try it in a terminal')).toHaveProperty(
      'value',
      `curl -T photo.jpg -H "Authorization: Bearer ${text}" https://files.example/up/`,
    )
    await page.press('Done')
    expect(page.queryByDisplayValue(text)).toBeNull()
  })

  it('comes with what other programs need, where it may share', async () => {
    const page = await openDialog(made())
    await page.fill('Name', 'Screenshots')
    await page.press('Create token')
    await page.user.selectOptions(await page.findByLabelText('Use it with'), 'ShareX')
    expect(page.getByText(/The file holds this token: keep it to yourself\./)).toBeTruthy()
    expect(page.getByRole('button', { name: 'Download ShareX file' })).toBeTruthy()
    await page.user.selectOptions(page.getByLabelText('Use it with'), 'Screenshots')
    for (const program of ['Flameshot', 'grim']) {
      expect(page.getByRole('button', { name: `Script for ${program}` })).toBeTruthy()
    }
    await page.user.selectOptions(page.getByLabelText('Use it with'), 'Command line')
    expect(page.field('Install it and sign in')).toHaveProperty(
      'value',
      'curl -fsSL https://files.example/cli/install.sh | sh\nfloe login https://files.example',
    )
  })

  it('offers nothing that shares where it may not', async () => {
    const page = await openDialog(made({ scopes: ['shares:read'] }))
    await page.fill('Name', 'Reader')
    await page.press('Create token')
    await page.findByLabelText('Try it in a terminal')
    expect(page.queryByText('ShareX')).toBeNull()
  })

  it('is tried on what its scopes let it see, or on what every token may', async () => {
    const page = await openDialog(made({ scopes: ['files:read'] }))
    await page.fill('Name', 'Backup')
    await page.press('Create token')
    const field = await page.findByLabelText('Try it in a terminal')
    expect(field).toHaveProperty(
      'value',
      expect.stringMatching(/ https:\/\/files\.example\/api\/configs$/),
    )
  })
})
