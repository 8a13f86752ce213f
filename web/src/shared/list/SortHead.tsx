import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ListState } from './list-query.ts'
import classes from './SortHead.module.css'

interface SortHeadProps<S extends string> {
  by: S
  label: string
  state: Pick<ListState<S>, 'sort' | 'order'>
  onSort: (sort: S, order: ListState<S>['order']) => void
}

/** The head of a column that the whole list can be sorted by. */
export function SortHead<S extends string>({ by, label, state, onSort }: SortHeadProps<S>) {
  const isSorted = state.sort === by
  const isAscending = state.order === 'asc'
  const Icon = isAscending ? IconChevronUp : IconChevronDown
  return (
    <th scope="col" aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton
        className={classes.sort ?? ''}
        onClick={() => onSort(by, isSorted && isAscending ? 'desc' : 'asc')}
      >
        {label}
        {isSorted && <Icon size={15} aria-hidden="true" />}
      </UnstyledButton>
    </th>
  )
}
