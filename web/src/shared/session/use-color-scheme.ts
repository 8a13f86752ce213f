import { createContext, use, useSyncExternalStore } from 'react'
import { currentScheme, onSchemeChange } from './color-scheme.ts'
import type { ColorScheme } from './preferences.ts'

/** What the visitor of a document has chosen that is drawn before its scripts run. */
export const DocumentScheme = createContext<ColorScheme>('system')

/** Which colors somebody wants, for the few components that cannot leave it to their styles. */
export function useColorScheme(): ColorScheme {
  const ofDocument = use(DocumentScheme)
  return useSyncExternalStore(onSchemeChange, currentScheme, () => ofDocument)
}
