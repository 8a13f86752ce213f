import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SearchBar.module.css'
import { useTyped } from './use-typed.ts'

interface SearchBarProps {
  label: string
  search: string
  onSearch: (text: string) => void
  /** What can be done with the list. */
  children?: ReactNode
}

/** What a list is narrowed down by, and what can be done with it. */
export function SearchBar({ label, search, onSearch, children }: SearchBarProps) {
  const [text, type] = useTyped(search, onSearch)
  return (
    <div className={classes.bar} role="search">
      <TextInput
        className={classes.search ?? ''}
        type="search"
        aria-keyshortcuts="/"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={17} aria-hidden="true" />}
        maxLength={100}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {children}
    </div>
  )
}
