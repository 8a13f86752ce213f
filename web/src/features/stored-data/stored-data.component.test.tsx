// @vitest-environment jsdom
import { dataKinds } from '@floe/contracts'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { Page } from './pages/StoredDataPage.tsx'

it('what is stored stands kind by kind, each with its end', async () => {
  const page = await renderPage(<Page />)
  await page.findByRole('heading', { name: 'What is stored here' })
  const rows = page.getAllByRole('row').slice(1)
  expect(rows).toHaveLength(dataKinds.length)
  for (const row of rows) {
    expect(row.textContent).toMatch(/^[A-Z].{15,}(?:days|deleted|is|there)/)
  }
  page.getByRole('row', { name: /^Audit log: .* 90 days, even if the account is deleted$/ })
})

it('an audit log that is kept for ever is said to be', async () => {
  const page = await renderPage(<Page />, { settings: { 'general.auditRetention': 0 } })
  await page.findByRole('row', { name: /^Audit log: .* For ever, even if the account is deleted$/ })
})
