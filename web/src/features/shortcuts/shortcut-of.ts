import { letterOf } from '../../shared/shortcuts.ts'

export type Shortcut = '?' | '/' | 's' | 'u' | 'undo'

type Key = Pick<
  KeyboardEvent,
  | 'key'
  | 'code'
  | 'altKey'
  | 'ctrlKey'
  | 'metaKey'
  | 'shiftKey'
  | 'repeat'
  | 'isComposing'
  | 'defaultPrevented'
  | 'target'
>

/** Where keys are text, or choose among entries by their first letters. */
const takesKeys =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"]'

function isTaken(target: EventTarget | null): boolean {
  return target !== null && 'closest' in target && typeof target.closest === 'function'
    ? Boolean(target.closest(takesKeys))
    : false
}

/** What a key is a shortcut for, `null` while somebody types. */
export function shortcutOf(event: Key): Shortcut | null {
  const { altKey, ctrlKey, metaKey, shiftKey } = event
  if (event.repeat || event.isComposing || event.defaultPrevented) return null
  if (altKey || isTaken(event.target)) return null
  if (ctrlKey !== metaKey) return !shiftKey && letterOf(event) === 'z' ? 'undo' : null
  return ctrlKey ? null : plainShortcutOf(event)
}

function plainShortcutOf(event: Key): Shortcut | null {
  const { key, shiftKey } = event
  // Which of these need Shift depends on the layout.
  if (key === '?' || key === '؟') return '?'
  if (key === '/') return '/'
  if (shiftKey) return null
  const letter = letterOf(event)
  return letter === 's' || letter === 'u' ? letter : null
}
