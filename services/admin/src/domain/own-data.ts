import type { Actor, ListOwnData } from '@floe/contracts'
import type { AuditStore } from './ports.ts'

export interface OwnData {
  /** Records that somebody took it, then yields all that is stored of an account, as JSON. */
  exportJson(userId: string, actor: Actor): AsyncGenerator<string>
}

interface Source {
  listOwnData: ListOwnData
}

/** `sources` tell what each service stores. */
export function createOwnData({
  sources,
  auditStore,
  clock,
}: {
  sources: readonly Source[]
  auditStore: Pick<AuditStore, 'record'>
  clock: () => Date
}): OwnData {
  return {
    async *exportJson(userId, actor) {
      await auditStore.record([{ action: 'user.data_exported', actor, target: null }])
      yield `{"exportedAt":${JSON.stringify(clock())},"userId":${JSON.stringify(userId)},"data":{`
      let open: string | null = null
      for await (const { table, rows } of pagesOf(sources, userId)) {
        if (table !== open) yield `${open === null ? '' : '],'}\n${JSON.stringify(table)}:[`
        const isFirst = (index: number) => table !== open && index === 0
        yield rows
          .map((row, index) => `${isFirst(index) ? '' : ','}\n${JSON.stringify(row)}`)
          .join('')
        open = table
      }
      yield ']}}\n'
    },
  }
}

async function* pagesOf(sources: readonly Source[], userId: string) {
  for (const source of sources) {
    let after: Awaited<ReturnType<ListOwnData>>['after'] = null
    do {
      const page = await source.listOwnData({ userId, after })
      yield page
      ;({ after } = page)
    } while (after !== null)
  }
}
