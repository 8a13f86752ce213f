/** Opens the sheet of shortcuts. Sent as an event, so that no page loads the sheet ahead. */
export const SHORTCUTS_EVENT = 'floe:shortcuts'
