// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { PrefetchContext } from '../shared/prefetch.ts'
import { renderPage } from '../testing/render-page.tsx'
import { sampleUser } from '../testing/samples.ts'
import { NavigationBar } from './NavigationBar.tsx'

const user = sampleUser({ isAdmin: true })

it.each(['/admin', '/admin/users', '/admin/shares', '/admin/audit', '/account'])(
  'marks the account menu on %s',
  async (at) => {
    const page = await renderPage(<NavigationBar />, { at, user })
    const menu = await page.findByRole('button', { name: 'Account menu' })
    expect(menu.querySelector('[data-variant]')?.getAttribute('data-variant')).toBe('filled')
  },
)

it.each(['/upload', '/account/shares', '/administration'])('does not mark it on %s', async (at) => {
  const page = await renderPage(<NavigationBar />, { at, user })
  const menu = await page.findByRole('button', { name: 'Account menu' })
  expect(menu.querySelector('[data-variant]')?.getAttribute('data-variant')).toBe('light')
})

it.each([
  ['/admin', 'page'],
  ['/admin/users', 'true'],
  ['/upload', null],
])('tells on %s whether the entry of the menu is the page or holds it', async (at, current) => {
  const page = await renderPage(<NavigationBar />, { at, user })
  await page.press('Open menu')
  const entry = page.getByRole('link', { name: 'Administration' })
  expect(entry.getAttribute('aria-current')).toBe(current)
})

it('leads to reverse shares only while they are not switched off', async () => {
  const settings = { 'share.reverseShares': 'off' } as const
  const page = await renderPage(<NavigationBar />, { user, settings })
  await page.user.click(await page.findByRole('button', { name: 'Shares' }))
  await page.findByRole('menuitem', { name: 'My shares' })
  expect(page.queryByRole('menuitem', { name: 'Reverse shares' })).toBeNull()
  await page.press('Open menu')
  expect(page.getByRole('link', { name: 'My shares' })).toBeTruthy()
  expect(page.queryByRole('link', { name: 'Reverse shares' })).toBeNull()
})

describe('the page of an entry is fetched ahead', () => {
  async function openBar() {
    const fetched: string[] = []
    const bar = (
      <PrefetchContext value={(path) => fetched.push(path)}>
        <NavigationBar />
      </PrefetchContext>
    )
    return { page: await renderPage(bar, { at: '/account', user }), fetched }
  }

  it('when the pointer comes, and once only', async () => {
    const { page, fetched } = await openBar()
    const entry = page.getByRole('link', { name: 'Upload' })
    expect(fetched).toEqual([])
    await page.user.hover(entry)
    await page.user.unhover(entry)
    await page.user.hover(entry)
    expect(fetched).toEqual(['/upload'])
  })

  it('when the keyboard comes, in the menus too', async () => {
    const { page, fetched } = await openBar()
    page.getByRole('link', { name: 'Upload' }).focus()
    expect(fetched).toEqual(['/upload'])
    await page.user.click(await page.findByRole('button', { name: 'Shares' }))
    const entry = await page.findByRole('menuitem', { name: 'My shares' })
    entry.focus()
    expect(fetched).toContain('/account/shares')
  })
})
