// @vitest-environment jsdom
import { act, fireEvent, within } from '@testing-library/react'
import { configCatalogue, isConfigKey } from '@floe/contracts'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { done, ok } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import {
  sampleOwnShare,
  sampleReceivedShare,
  sampleReverseShare,
  sampleUser,
} from '../../testing/samples.ts'
import { Palette } from './Palette.tsx'

const api = {
  'GET /api/shares': ok([
    sampleOwnShare({ id: 'fjord', name: 'Trip to the fjord', description: 'Kayaks' }),
    sampleOwnShare({ id: 'x7', name: null, files: [{ id: '1', name: 'budget.xlsx', size: '1' }] }),
  ]),
  'GET /api/reverseShares': ok([
    sampleReverseShare({ token: 'inbox', name: 'Contracts', shares: [sampleReceivedShare()] }),
  ]),
}

type Options = Parameters<typeof renderPage>[1]

async function open(options: Options = {}) {
  const onClose = vi.fn()
  function Opened() {
    const [opened, setOpened] = useState(true)
    const close = () => {
      onClose()
      setOpened(false)
    }
    return opened && <Palette onClose={close} />
  }
  const page = await renderPage(<Opened />, { api, ...options })
  const field = await page.findByRole('combobox', { name: 'Search or jump to…' })
  const list = () => page.queryAllByRole('option')
  return {
    page,
    field,
    onClose,
    // At once, as it is the whole that is looked for.
    type: (text: string) => fireEvent.change(field, { target: { value: text } }),
    enter: () => page.user.keyboard('{Enter}'),
    names: () => list().map((option) => option.textContent),
    chosen: () => {
      const id = field.getAttribute('aria-activedescendant') ?? ''
      const option = document.getElementById(id)
      expect(list().filter((one) => one.ariaSelected === 'true')).toEqual([option])
      return option?.textContent
    },
    groups: () => page.queryAllByRole('group').map((group) => nameOf(group)),
  }
}

function nameOf(group: HTMLElement): string | null {
  const heading = document.getElementById(group.getAttribute('aria-labelledby') ?? '')
  return heading?.textContent ?? null
}

describe('before anything is typed it offers', () => {
  it('a visitor the public pages and the look of the page', async () => {
    const palette = await open()
    expect(palette.names()).toEqual([
      ...['Keyboard shortcuts', 'Home', 'Welcome back', 'Create an account'],
      ...['LightColor scheme', 'DarkColor scheme', 'SystemColor scheme'],
    ])
    expect(palette.page.api.calls).toEqual([])
  })

  it('a visitor whatever the settings open to visitors, and nothing else', async () => {
    const settings = {
      'general.showHomePage': false,
      'share.allowRegistration': false,
      'share.allowUnauthenticatedShares': true,
      'smtp.enabled': true,
    }
    const palette = await open({ settings })
    expect(palette.names().slice(0, 4)).toEqual([
      ...['Upload files', 'Keyboard shortcuts', 'Welcome back', 'Reset your password'],
    ])
  })

  it('a user actions, pages and the latest shares, but nothing of the administration', async () => {
    const palette = await open({ user: sampleUser() })
    await palette.page.findByText('Trip to the fjord')
    expect(palette.groups()).toEqual(['Actions', 'Pages', 'My shares', 'Appearance'])
    expect(palette.names()).toEqual([
      ...['Upload files', 'New link to receive files', 'Keyboard shortcuts', 'Sign out'],
      ...['My shares', 'Reverse shares', 'My account'],
      ...['Trip to the fjordfjord', 'budget.xlsxx7'],
      ...['LightColor scheme', 'DarkColor scheme', 'SystemColor scheme'],
    ])
    palette.type('smtp')
    expect(palette.names()).toEqual([])
    expect(palette.page.getByRole('status').textContent).toBe('Nothing matches your search.')
  })

  it('a user nothing that makes or lists reverse shares while they are switched off', async () => {
    const palette = await open({ user: sampleUser(), settings: { 'share.reverseShares': 'off' } })
    await palette.page.findByText('Trip to the fjord')
    expect(palette.names()).not.toContain('Reverse shares')
    expect(palette.names()).not.toContain('New link to receive files')
  })

  it('an administrator the pages of the administration', async () => {
    const palette = await open({ user: sampleUser({ isAdmin: true }) })
    const administration = ['Administration', 'User management', 'Share management', 'Audit log']
    expect(palette.names()).toEqual(expect.arrayContaining([...administration, 'Configuration']))
  })
})

describe('what is chosen', () => {
  const admin = { user: sampleUser({ isAdmin: true }) }

  it.each([
    ['jord', '/share/fjord'],
    ['kayak', '/share/fjord'],
    ['x7', '/share/x7'],
    ['budget', '/share/x7'],
    ['inbox', '/account/reverseShares?link=inbox'],
    ['from nils', '/share/received'],
    ['new link', '/account/reverseShares?create'],
    ['upload files', '/upload'],
    ['social login', '/admin/config/oauth'],
    ['smtp host', '/admin/config/smtp#smtp.host'],
    ['google client secret', '/admin/config/oauth#oauth.google-clientSecret'],
    ['share.maxSize', '/admin/config/share#share.maxSize'],
    ['logo', '/admin/config/general#logo'],
    ['logo dark', '/admin/config/general#dark-logo'],
  ])('by “%s” leads to %s', async (text, path) => {
    const palette = await open({ ...admin, at: '/account' })
    await palette.page.findByText('Trip to the fjord')
    palette.type(text)
    await palette.enter()
    expect(palette.page.location()).toBe(path)
    expect(palette.onClose).toHaveBeenCalledOnce()
  })

  it('can be every setting there is', async () => {
    const palette = await open(admin)
    for (const key of Object.keys(configCatalogue).filter(isConfigKey)) {
      palette.type(key)
      expect(palette.field.getAttribute('aria-activedescendant')).toMatch(new RegExp(`-${key}$`))
    }
  })

  it('can be a search among all users and all shares, for administrators', async () => {
    const palette = await open(admin)
    palette.type('ån & ä')
    expect(palette.names().slice(-2)).toEqual([
      'Search users for “ån & ä”',
      'Search all shares for “ån & ä”',
    ])
    await palette.page.user.click(palette.page.getByText(/^Search users/))
    expect(palette.page.location()).toBe('/admin/users?search=%C3%A5n%20%26%20%C3%A4')
  })

  it('may end the session', async () => {
    const palette = await open({
      user: sampleUser(),
      api: { ...api, 'POST /api/auth/signOut': done },
    })
    palette.type('sign out')
    await palette.enter()
    await expect.poll(() => palette.page.api.calls).toContain('POST /api/auth/signOut')
  })

  it('may change the colors at once', async () => {
    const palette = await open()
    palette.type('dark')
    await palette.enter()
    expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
    expect(JSON.parse(window.localStorage.getItem('preferences') ?? '')).toMatchObject({
      colorScheme: 'dark',
    })
  })

  it('may be a language, by its own name or in English', async () => {
    const palette = await open()
    for (const [text, name] of [
      ['deutsch', 'Deutsch'],
      ['german', 'Deutsch'],
      ['espanol', 'Español'],
      ['language dansk', 'Dansk'],
    ] as const) {
      palette.type(text)
      expect(palette.chosen()).toBe(`${name}Language`)
    }
  })
})

describe('with the keyboard', () => {
  it('the arrows go through the entries and round the ends', async () => {
    const palette = await open()
    expect(palette.chosen()).toBe('Keyboard shortcuts')
    await palette.page.user.keyboard('{ArrowUp}')
    expect(palette.chosen()).toBe('SystemColor scheme')
    await palette.page.user.keyboard('{ArrowDown}{ArrowDown}')
    expect(palette.chosen()).toBe('Home')
    expect(document.activeElement).toBe(palette.field)
  })

  it('the first entry is the next to be chosen whenever something is typed', async () => {
    const palette = await open()
    await palette.page.user.keyboard('{ArrowDown}{ArrowDown}')
    palette.type('o')
    expect(palette.chosen()).toBe(palette.names()[0])
  })

  it('Enter chooses for what is typed by then, even if the list is still on its way', async () => {
    const palette = await open()
    act(() => {
      palette.type('create an')
      // The list stands as before: what is deferred comes after this.
      expect(palette.chosen()).toBe('Keyboard shortcuts')
      fireEvent.keyDown(palette.field, { key: 'Enter' })
    })
    expect(palette.page.location()).toBe('/auth/signUp')
  })

  it('Enter ends a word of an input method and chooses nothing', async () => {
    const palette = await open({ at: '/upload' })
    const init = { key: 'Enter', bubbles: true, cancelable: true }
    palette.field.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }))
    expect(palette.onClose).not.toHaveBeenCalled()
  })

  it('Escape closes it', async () => {
    const palette = await open()
    await palette.page.user.keyboard('{Escape}')
    expect(palette.onClose).toHaveBeenCalledOnce()
  })
})

it('the pointer marks what it moves over, not what comes under it', async () => {
  const palette = await open()
  const home = palette.page.getByRole('option', { name: 'Home' })
  await palette.page.user.pointer({ target: home })
  expect(palette.chosen()).toBe('Home')
  await palette.page.user.keyboard('{ArrowUp}')
  home.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))
  expect(palette.chosen()).toBe('Keyboard shortcuts')
})

it('is a dialog with a name, and a list of named groups', async () => {
  const { page, field } = await open()
  const dialog = within(page.getByRole('dialog', { name: 'Search or jump to…' }))
  const list = dialog.getByRole('listbox')
  expect(field.getAttribute('aria-controls')).toBe(list.id)
  expect(within(list).getByRole('group', { name: 'Pages' })).toBeTruthy()
})
