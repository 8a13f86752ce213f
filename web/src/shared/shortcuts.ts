/** Opens the sheet of shortcuts. Sent as an event, so that no page loads the sheet ahead. */
export const SHORTCUTS_EVENT = 'floe:shortcuts'

/** Opens the palette, from which everything is reached by its name. */
export const PALETTE_EVENT = 'floe:palette'

/** On the button that takes back what was done last. */
export const UNDO_KEYS = 'Control+Z Meta+Z'

/** On the button that opens the palette. */
export const PALETTE_KEYS = 'Control+K Meta+K'

/** Where commands are given with Cmd: Ctrl and a letter move about in a text there. */
export const isApple = () => /^(?:Mac|iP)/.test(navigator.platform)

/** The letter on the key, or the Latin one of its place where another script is written. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const latin = /^[A-Za-z]$/.test(key) ? key : /^Key([A-Z])$/.exec(code)?.[1]
  return latin?.toLowerCase() ?? ''
}

/** Whether it asks for the palette, also while somebody types. */
export function isPaletteKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  const isCommand = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isCommand && !altKey && !shiftKey && letterOf(event) === 'k'
}
