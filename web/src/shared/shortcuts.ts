/** Opens the sheet of shortcuts. Sent as an event, so that no page loads the sheet ahead. */
export const SHORTCUTS_EVENT = 'floe:shortcuts'

/** On the button that takes back what was done last. */
export const UNDO_KEYS = 'Control+Z Meta+Z'
