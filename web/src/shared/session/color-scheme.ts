import { readBoot } from '../boot.ts'
import { type ColorScheme, readPreferences, writePreferences } from './preferences.ts'

const CHANGE = 'floe-color-scheme'

const darkSystem = () => window.matchMedia('(prefers-color-scheme: dark)')

export const currentScheme = (): ColorScheme =>
  readPreferences(window.localStorage).colorScheme ??
  readBoot()?.settings['appearance.colorScheme'] ??
  'system'

/** The styles go by an attribute of the document, so that new colors draw no component anew. */
function paint(): void {
  const scheme = currentScheme()
  const isDark = scheme === 'dark' || (scheme === 'system' && darkSystem().matches)
  document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'
  window.dispatchEvent(new Event(CHANGE))
}

export function changeScheme(colorScheme: ColorScheme): void {
  writePreferences(window.localStorage, { ...readPreferences(window.localStorage), colorScheme })
  paint()
}

/** Paints as this browser prefers, also once another tab or the system changes that. */
export function followScheme(): () => void {
  const ends = new AbortController()
  const { signal } = ends
  paint()
  darkSystem().addEventListener('change', paint, { signal })
  window.addEventListener('storage', paint, { signal })
  return () => ends.abort()
}

export function onSchemeChange(notify: () => void): () => void {
  window.addEventListener(CHANGE, notify)
  return () => window.removeEventListener(CHANGE, notify)
}
