// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { Page as ErrorPage } from './pages/ErrorPage.tsx'
import { Page as NotFoundPage } from './pages/NotFoundPage.tsx'

describe('the error page', () => {
  const open = (search: string) => renderPage(<ErrorPage />, { at: `/error${search}` })

  it.each([
    ['?error=no_user&params=provider_github', 'No user here is linked to this GitHub account'],
    ['?error=access_denied', 'You cancelled the sign-in with another service.'],
    ['?error=nonsense', 'An unknown error occurred. Try again in a moment.'],
    ['', 'An unknown error occurred. Try again in a moment.'],
  ])('%s says what failed', async (search, text) => {
    const page = await open(search)
    expect(page.getByText(text, { exact: false })).toBeTruthy()
  })

  it.each([
    ['/account', '/account'],
    ['//evil.example', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
    ['javascript:x', '/'],
  ])('asked to lead back to %j leads to %j', async (redirect, href) => {
    const page = await open(`?redirect=${encodeURIComponent(redirect)}`)
    expect(page.getByRole('link', { name: 'Go back' }).getAttribute('href')).toBe(href)
  })
})

describe('an unknown page', () => {
  it('says so, and leads home', async () => {
    const page = await renderPage(<NotFoundPage />)
    expect(page.getByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(page.getByText('The page you are looking for does not exist.')).toBeTruthy()
    expect(page.getByRole('link', { name: 'Go to home page' }).getAttribute('href')).toBe('/')
  })
})
