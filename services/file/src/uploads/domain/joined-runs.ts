import { outsideRequests } from '@floe/log'

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Items of the same key that come while a run is under way wait and share the next one. No item
 * waits for others to come: a single one runs at once, and under load the groups grow by themselves.
 * `run` returns the outcomes in the order of its items; when it fails, all of them do.
 */
export function createJoinedRuns<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
): (key: string, item: Item) => Promise<Result> {
  const gathering = new Map<string, Waiting<Item, Result>[]>()

  async function runGroups(key: string, first: Waiting<Item, Result>): Promise<void> {
    let group = [first]
    while (group.length > 0) {
      gathering.set(key, [])
      await runGroup(group)
      group = gathering.get(key) ?? []
    }
    gathering.delete(key)
  }

  async function runGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await run(group.map(({ item }) => item))
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index]
        if (outcome?.status === 'fulfilled') resolve(outcome.value)
        else reject(outcome?.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject }
      const next = gathering.get(key)
      if (next) next.push(waiting)
      else void outsideRequests(() => runGroups(key, waiting))
    })
}
