// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { useSearchParams } from 'react-router'
import { expect, it } from 'vitest'
import { renderPage } from '../../testing/render-page.tsx'
import { SearchBar } from './SearchBar.tsx'

/** As a list keeps it in the address, which the router changes when there is time. */
function Search() {
  const [params, setParams] = useSearchParams()
  return (
    <>
      <SearchBar
        label="Search"
        search={params.get('search') ?? ''}
        onSearch={(search) => setParams({ search })}
      />
      <button onClick={() => setParams({ search: 'elsewhere' })}>Elsewhere</button>
    </>
  )
}

it('letters that come faster than the list follows are all kept', async () => {
  const page = await renderPage(<Search />)
  const field = page.getByRole('searchbox')
  act(() => {
    for (const typed of ['f', 'fj', 'fjo']) {
      fireEvent.change(field, { target: { value: typed } })
      expect(field).toHaveProperty('value', typed)
    }
  })
  expect(field).toHaveProperty('value', 'fjo')
  expect(page.location()).toBe('/?search=fjo')
})

it('a search that the address brings along takes the place of what was typed', async () => {
  const page = await renderPage(<Search />)
  await page.fill('Search', 'fjord')
  await page.press('Elsewhere')
  expect(page.getByRole('searchbox')).toHaveProperty('value', 'elsewhere')
})
