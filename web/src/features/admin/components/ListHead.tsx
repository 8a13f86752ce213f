import type { ReactNode } from 'react'
import { SearchBar } from '../../../shared/list/SearchBar.tsx'
import { ScreenTitle } from './ScreenTitle.tsx'

interface ListHeadProps {
  title: string
  searchLabel: string
  search: string
  onSearch: (text: string) => void
  /** What can be done with the list. */
  children?: ReactNode
}

/** The way back, the name of the list, and what it is narrowed down by. */
export function ListHead({ title, searchLabel, search, onSearch, children }: ListHeadProps) {
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <SearchBar label={searchLabel} search={search} onSearch={onSearch}>
        {children}
      </SearchBar>
    </>
  )
}
