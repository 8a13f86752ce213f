// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PALETTE_EVENT } from '../shared/shortcuts.ts'
import { renderPage } from '../testing/render-page.tsx'
import { CommandPalette } from './CommandPalette.tsx'

afterEach(() => vi.restoreAllMocks())

const open = () =>
  renderPage(
    <>
      <CommandPalette />
      <input aria-label="Note" />
    </>,
  )

type Page = Awaited<ReturnType<typeof open>>

/** Whether the browser is left without the key. */
const press = (target: Element, keys: KeyboardEventInit) =>
  !fireEvent.keyDown(target, { bubbles: true, cancelable: true, ...keys })

const palette = (page: Page) => page.queryByRole('combobox', { name: 'Search or jump to…' })

describe('the palette', () => {
  it('opens with Ctrl and K, also while somebody types, and closes with it', async () => {
    const page = await open()
    expect(press(page.getByLabelText('Note'), { key: 'k', ctrlKey: true })).toBe(true)
    const field = await page.findByRole('combobox')
    expect(press(field, { key: 'K', ctrlKey: true })).toBe(true)
    await expect.poll(() => palette(page)).toBeNull()
  })

  it('opens with the key in its place where another script is written', async () => {
    const page = await open()
    press(document.body, { key: 'л', code: 'KeyK', ctrlKey: true })
    await page.findByRole('combobox')
  })

  it.each([{ key: 'k' }, { ctrlKey: true, key: 'l' }, { ctrlKey: true, shiftKey: true, key: 'k' }])(
    'leaves %o to the browser',
    async (keys) => {
      const page = await open()
      expect(press(document.body, keys)).toBe(false)
      expect(palette(page)).toBeNull()
    },
  )

  it('opens with Cmd and K on a Mac, where Ctrl and K cut the end of a line', async () => {
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    const page = await open()
    expect(press(page.getByLabelText('Note'), { key: 'k', ctrlKey: true })).toBe(false)
    expect(press(page.getByLabelText('Note'), { key: 'k', metaKey: true })).toBe(true)
    await page.findByRole('combobox')
  })

  it('stays away while a dialog asks about something else', async () => {
    const page = await renderPage(
      <>
        <CommandPalette />
        <div role="dialog">
          <button>Delete all</button>
        </div>
      </>,
    )
    const button = page.getByRole('button', { name: 'Delete all' })
    expect(press(button, { key: 'k', ctrlKey: true })).toBe(true)
    expect(palette(page)).toBeNull()
  })

  it('opens for the button that asks for it', async () => {
    const page = await open()
    window.dispatchEvent(new Event(PALETTE_EVENT))
    await page.findByRole('combobox')
  })
})
