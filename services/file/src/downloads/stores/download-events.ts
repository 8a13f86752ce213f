import { appendEvents, type Database } from '@floe/db'

/** Records share.downloaded. */
export function recordDownload({ knex }: Pick<Database, 'knex'>, shareUid: string): Promise<void> {
  return knex.transaction((trx) =>
    appendEvents(trx, [{ name: 'share.downloaded', payload: { shareUid } }]),
  )
}
