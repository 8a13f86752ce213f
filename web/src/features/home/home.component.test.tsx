// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { Page as HomePage } from './pages/HomePage.tsx'

it('leads to the source code in the repository that is set', async () => {
  const page = await renderPage(<HomePage />, {
    settings: { 'general.releaseRepository': 'ice/floe' },
  })
  const link = page.getByRole('link', { name: 'Source code' })
  expect(link.getAttribute('href')).toBe('https://github.com/ice/floe')
})

it('leads to no source code where no repository is set', async () => {
  const page = await renderPage(<HomePage />)
  expect(page.queryByRole('link', { name: 'Source code' })).toBeNull()
})
