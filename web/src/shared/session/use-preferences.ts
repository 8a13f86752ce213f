import { useState, useSyncExternalStore } from 'react'
import { changeScheme, currentScheme, onSchemeChange } from './color-scheme.ts'
import { readPreferences, writePreferences } from './preferences.ts'

/** Language and colors of this browser. */
export function usePreferences() {
  const colorScheme = useSyncExternalStore(onSchemeChange, currentScheme)
  const [{ locale }] = useState(() => readPreferences(window.localStorage))

  function changeLocale(next: string) {
    writePreferences(window.localStorage, {
      ...readPreferences(window.localStorage),
      locale: next,
    })
    // The server writes language and direction into the document.
    window.location.reload()
  }

  return { locale, colorScheme, changeScheme, changeLocale }
}
