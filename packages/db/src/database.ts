import knexPkg, { type Knex } from 'knex'
import pg from 'pg'

export interface DatabaseOptions {
  /** postgres:// address. */
  url: string
  maxConnections?: number
  /** Shown in pg_stat_activity. */
  applicationName?: string
}

/** A statement PostgreSQL plans once per connection; for the few that run per chunk or request. */
export interface NamedStatement {
  name: string
  text: string
  values: readonly unknown[]
}

export interface Database {
  /**
   * `bigint` columns arrive as numbers and `timestamptz` as `Date`. A `sum()` over bigint is
   * `numeric` in PostgreSQL and arrives as a string: cast it back with `::bigint`.
   */
  readonly knex: Knex
  /** Runs on a connection of the same pool, outside any transaction. */
  query<Row extends object>(statement: NamedStatement): Promise<Row[]>
  /** Its connections now, and how many requests wait for one. */
  poolState(): { used: number; free: number; waiting: number }
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>
}

interface ConnectionPool {
  acquireConnection(): Promise<pg.Client>
  releaseConnection(connection: pg.Client): Promise<void>
  pool: { numUsed(): number; numFree(): number; numPendingAcquires(): number }
}

/** Opens no connection until the first query. */
export function openDatabase({
  url,
  maxConnections = 10,
  applicationName = 'floe',
}: DatabaseOptions): Database {
  const knex = knexPkg.knex({
    client: 'pg',
    // An error ends up in the log, where the values of its statement must not appear.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      types: connectionTypes,
    },
    pool: { min: 0, max: maxConnections, acquireTimeoutMillis: 20_000, idleTimeoutMillis: 30_000 },
  })
  const pool: ConnectionPool = knex.client

  return {
    knex,
    query: async <Row extends object>({ name, text, values }: NamedStatement) => {
      const connection = await pool.acquireConnection()
      try {
        const result = await connection.query<Row>({ name, text, values: [...values] })
        return result.rows
      } finally {
        await pool.releaseConnection(connection)
      }
    },
    poolState: () => ({
      used: pool.pool.numUsed(),
      free: pool.pool.numFree(),
      waiting: pool.pool.numPendingAcquires(),
    }),
    close: () => knex.destroy(),
  }
}

/** `Database.query` inside a transaction of knex, which counts its placeholders differently. */
export function queryIn(trx: Knex.Transaction): Database['query'] {
  return async <Row extends object>({ text, values }: NamedStatement) => {
    const bindings: unknown[] = []
    const sql = text.replace(/\$(\d+)/g, (_placeholder, position: string) => {
      bindings.push(values[Number(position) - 1] ?? null)
      return '?'
    })
    const { rows } = await trx.raw<{ rows: Row[] }>(sql, bindings as Knex.RawBinding[])
    return rows
  }
}

const int8 = pg.types.builtins.INT8

/** Given to each connection rather than set globally, so other users of pg keep their defaults. */
const connectionTypes = {
  getTypeParser(oid: number, format?: string) {
    return oid === int8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text')
  },
}
