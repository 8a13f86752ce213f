export const ROWS_A_PAGE = 50

/** What the address of a list says: it survives a reload, and Back goes to the list as it was. */
export interface ListState<S extends string> {
  search: string
  sort: S
  order: 'asc' | 'desc'
  /** From 1 on. */
  page: number
}

export function readListState<S extends string>(
  params: URLSearchParams,
  { sorts, start }: { sorts: readonly S[]; start: Pick<ListState<S>, 'sort' | 'order'> },
): ListState<S> {
  const sort = sorts.find((name) => name === params.get('sort'))
  const order = params.get('order')
  const page = Number(params.get('page'))
  return {
    search: (params.get('search') ?? '').slice(0, 100),
    sort: sort ?? start.sort,
    order: sort && (order === 'asc' || order === 'desc') ? order : start.order,
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
  }
}

export function toListQuery<S extends string>({ search, sort, order, page }: ListState<S>) {
  const text = search.trim()
  return {
    ...(text !== '' && { search: text }),
    sort,
    order,
    limit: ROWS_A_PAGE,
    offset: (page - 1) * ROWS_A_PAGE,
  }
}

/** The rows of a page of a list that is here already; of the last one where there are fewer. */
export function rowsOfPage<Row>(
  rows: readonly Row[],
  wanted: number,
): { rows: readonly Row[]; page: number } {
  const page = Math.min(wanted, Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE)))
  return { rows: rows.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE), page }
}

export function toSearch(query: Readonly<Record<string, string | number | undefined>>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) params.set(key, String(value))
  }
  return params.toString()
}
