import { useActionEntries } from './use-action-entries.ts'
import { useColorEntries, useLanguageEntries } from './use-appearance-entries.ts'
import type { Entry } from './entry.ts'
import { usePageEntries } from './use-page-entries.ts'
import { useSettingEntries } from './use-setting-entries.ts'
import { useShareEntries } from './use-share-entries.ts'

export interface Entries {
  /** Stand there before anything is typed. */
  offered: readonly Entry[]
  /** Everything that can be looked for. Takes a moment, which opening has not. */
  all: () => readonly Entry[]
}

/** What this person can reach from here. */
export function useEntries(): Entries {
  const actions = useActionEntries()
  const pages = usePageEntries()
  const shares = useShareEntries()
  const listSettings = useSettingEntries()
  const colors = useColorEntries()
  const listLanguages = useLanguageEntries()
  const ready = [...actions, ...pages, ...shares, ...colors]
  return {
    offered: ready.filter(({ isOffered }) => isOffered),
    all: () => [...ready, ...listSettings(), ...listLanguages()],
  }
}
