import { randomUUID } from 'node:crypto'
import type { Database } from '@floe/db'

interface Statement {
  sql: string
  bindings: unknown[]
}

/** How PostgreSQL goes about each statement that `run` makes, in their order. */
export async function explain(
  { knex, query }: Database,
  run: () => Promise<unknown>,
): Promise<string[]> {
  const statements: Statement[] = []
  const note = ({ sql, bindings }: Statement) => {
    // The ends of a transaction have no plan.
    if (!/^(?:BEGIN|COMMIT)/.test(sql)) statements.push({ sql, bindings })
  }
  knex.on('query', note)
  try {
    await run()
  } finally {
    knex.off('query', note)
  }
  return Promise.all(
    statements.map(async ({ sql, bindings }) => {
      const rows = await query<{ 'QUERY PLAN': string }>({
        name: `explain-${randomUUID()}`,
        text: `explain ${sql}`,
        values: bindings,
      })
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }),
  )
}
