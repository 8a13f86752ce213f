// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { Route, Routes } from 'react-router'
import { PageLink } from '../shared/components/PageLink.tsx'
import { PageTitle } from '../shared/components/PageTitle.tsx'
import { renderPage } from '../testing/render-page.tsx'
import { PageNews } from './PageNews.tsx'

it('says which page came in the place of another, and nothing of the first', async () => {
  const page = await renderPage(
    <PageNews>
      <PageLink to="/a">To A</PageLink>
      <PageLink to="/b">To B</PageLink>
      <Routes>
        <Route path="/a" element={<PageTitle>Page A</PageTitle>} />
        <Route path="/b" element={<PageTitle>Page B</PageTitle>} />
      </Routes>
    </PageNews>,
    { at: '/a' },
  )
  const news = page.getByRole('status')
  expect(news.textContent).toBe('')
  await page.user.click(page.getByRole('link', { name: 'To B' }))
  expect(news.textContent).toBe('Page B')
  await page.user.click(page.getByRole('link', { name: 'To A' }))
  expect(news.textContent).toBe('Page A')
})
