import { type Entry, type Group, groups } from './entry.ts'
import type { createFinder } from './find-entries.ts'

/** Who wants another one types more. */
const MOST_ENTRIES = 50
/** Of each group where there are several. */
const MOST_OF_A_GROUP = 10

export interface EntryGroup {
  name: Group
  entries: Entry[]
}

/** What was found, the group with the best entry first. */
export function findGroups(
  find: ReturnType<typeof createFinder<Entry>>,
  query: string,
): EntryGroup[] {
  const found = find(query)
  const bestOf = (name: Group) => found.find(({ entry }) => entry.group === name)?.rank ?? 0
  const arranged = toGroups(found.map(({ entry }) => entry))
  return arranged.sort((a, b) => bestOf(b.name) - bestOf(a.name))
}

/** Entries by their groups, in the order of those. */
export function toGroups(entries: readonly Entry[]): EntryGroup[] {
  const found = groups.filter((name) => entries.some(({ group }) => group === name))
  const most = found.length > 1 ? MOST_OF_A_GROUP : MOST_ENTRIES
  return found.map((name) => ({
    name,
    entries: entries.filter(({ group }) => group === name).slice(0, most),
  }))
}
