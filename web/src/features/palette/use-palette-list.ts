import {
  type ChangeEvent,
  type KeyboardEvent,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import { PrefetchContext } from '../../shared/prefetch.ts'
import { type EntryGroup, findGroups, toGroups } from './arrange-entries.ts'
import type { Entry } from './entry.ts'
import { createFinder, foldText } from './find-entries.ts'
import type { Entries } from './use-entries.ts'
import { useSearchEntries } from './use-search-entries.ts'

/** Longer than any name; what is longer was pasted by mistake. */
const MOST_LETTERS = 100

/** A field with a list of which one entry is the next to be chosen, as ARIA's combobox has it. */
export function usePaletteList(entries: Entries, choose: (entry: Entry) => void) {
  const listId = useId()
  const [query, setQuery] = useState('')
  const [activeId, setActive] = useState<string | null>(null)
  const listFor = useList(entries)
  // The field shows what is typed at once, the list as fast as the device can.
  const listed = useDeferredValue(query)
  const groups = useMemo(() => listFor(listed), [listFor, listed])
  const list = entriesOf(groups)
  const active = findActive(list, activeId)
  const idOf = (entry: Entry) => `${listId} ${entry.id}`.replaceAll(' ', '-')
  usePrefetched(active)

  /** Of what is typed by now: the list that is shown may still be on its way there. */
  const currentList = () => (listed === query ? list : entriesOf(listFor(query)))

  const move = (steps: number) => {
    const entries = currentList()
    const at = Math.max(
      entries.findIndex(({ id }) => id === activeId),
      0,
    )
    setActive(entries.at((at + steps) % entries.length)?.id ?? null)
  }

  const chooseActive = () => {
    const entry = findActive(currentList(), activeId)
    if (entry) choose(entry)
  }

  function onKeyDown(event: KeyboardEvent) {
    // Enter and the arrows then choose among the letters of an input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') chooseActive()
    else return
    event.preventDefault()
  }

  const field = {
    role: 'combobox',
    'aria-expanded': true,
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-activedescendant': active && idOf(active),
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    enterKeyHint: 'go',
    maxLength: MOST_LETTERS,
    value: query,
    onKeyDown,
    onChange(event: ChangeEvent<HTMLInputElement>) {
      setQuery(event.currentTarget.value)
      setActive(null)
    },
  } as const
  return { groups, active, setActive, idOf, listId, field }
}

/** The best one is the first. */
const findActive = (list: readonly Entry[], activeId: string | null): Entry | undefined =>
  list.find(({ id }) => id === activeId) ?? list[0]

const entriesOf = (groups: readonly EntryGroup[]) => groups.flatMap(({ entries }) => entries)

/** The groups of entries for a query. */
function useList({ offered, all }: Entries): (query: string) => EntryGroup[] {
  const toSearches = useSearchEntries()
  return useMemo(() => {
    let find: ReturnType<typeof createFinder<Entry>> | undefined
    return (query) => {
      if (foldText(query) === '') return toGroups(offered)
      find ??= createFinder(all())
      return [...findGroups(find, query), ...toSearches(query)]
    }
  }, [offered, all, toSearches])
}

/** The page that is chosen next is there by then. */
function usePrefetched(entry: Entry | undefined) {
  const prefetch = useContext(PrefetchContext)
  const to = typeof entry?.act === 'string' ? entry.act : null
  useEffect(() => {
    if (to !== null) prefetch(to)
  }, [to, prefetch])
}
