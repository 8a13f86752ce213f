import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { type ListState, readListState, toListQuery } from './list-query.ts'

const SEARCH_PAUSE_MS = 250

interface ListOptions<S extends string> {
  sorts: readonly S[]
  start: Pick<ListState<S>, 'sort' | 'order'>
}

/** The state of a list in the address, and the query that it asks once nobody types any more. */
export function useList<S extends string>(options: ListOptions<S>) {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readListState(params, options), [params, options])
  const [search] = useDebouncedValue(state.search, SEARCH_PAUSE_MS)
  const query = useMemo(() => toListQuery({ ...state, search }), [state, search])

  function change(changes: Partial<ListState<S>>, { replace = false } = {}) {
    const { page, ...next } = { ...state, page: 1, ...changes }
    const isStart = next.sort === options.start.sort && next.order === options.start.order
    setParams(
      {
        ...(next.search !== '' && { search: next.search }),
        ...(!isStart && { sort: next.sort, order: next.order }),
        ...(page > 1 && { page: String(page) }),
      },
      { replace },
    )
  }

  return {
    state,
    query,
    /** Typing leaves one entry in the history, not one for each letter. */
    setSearch: (text: string) => change({ search: text }, { replace: true }),
    setPage: (page: number) => change({ page }),
    setSorting: (sort: S, order: ListState<S>['order']) => change({ sort, order }),
  }
}
