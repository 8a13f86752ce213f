export const PAGE_ROWS = 500

/** Page after page of what is listed in the order of its ids, until one is empty. */
export async function* pagesOf<Row>(
  read: (page: { after: string | null; limit: number }) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  let after: string | null = null
  for (;;) {
    const page = await read({ after, limit: PAGE_ROWS })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = idOf(last)
  }
}
