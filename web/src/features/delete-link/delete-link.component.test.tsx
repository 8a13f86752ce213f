// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { done, type Handlers, refuse } from '../../testing/api-server.ts'
import { renderPage } from '../../testing/render-page.tsx'
import { Page } from './pages/DeleteLinkPage.tsx'

const path = `/delete/plans/${'s'.repeat(24)}`
const render = (api: Handlers) =>
  renderPage(<Page />, { at: path, path: '/delete/:id/:secret', api })

it('deletes the share of the address by a press, and not before', async () => {
  const page = await render({ [`DELETE ${path}`]: done })
  await page.findByText('Delete plans?')
  expect(page.api.changes).toEqual([])
  await page.press('Delete')
  await page.findByText('Share deleted')
  expect(page.api.changes).toEqual([{ call: `DELETE ${path}`, body: undefined }])
})

it('says that there is no such share', async () => {
  const page = await render({ [`DELETE ${path}`]: refuse(404, 'share_not_found') })
  await page.press('Delete')
  expect((await page.findByRole('alert')).textContent).not.toBe('')
})
