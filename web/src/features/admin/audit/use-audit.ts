import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { ROWS_A_PAGE } from '../../../shared/list/list-query.ts'
import { type AuditState, readAuditState, toAuditSearch, toParams } from './audit-state.ts'

const TYPING_PAUSE_MS = 250

/** The filter in the address, and what the server is asked once nobody types any more. */
export function useAudit() {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => readAuditState(params), [params])
  const [settled] = useDebouncedValue(state, TYPING_PAUSE_MS)
  const search = useMemo(() => toAuditSearch(settled), [settled])
  return {
    state,
    search,
    query: { ...search, limit: ROWS_A_PAGE, offset: (settled.page - 1) * ROWS_A_PAGE },
    /** Leaves one entry in the history, not one for each letter. */
    narrow: (changes: Partial<AuditState>) =>
      setParams(toParams({ ...state, page: 1, ...changes }), { replace: true }),
    setPage: (page: number) => setParams(toParams({ ...state, page })),
  }
}
