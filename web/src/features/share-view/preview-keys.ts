type Key = Pick<
  KeyboardEvent,
  'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'defaultPrevented' | 'target'
>

/** What the arrow keys already do something in: players seek by them. */
const usesArrows = 'video, audio, input, textarea, select'

function isTaken(target: EventTarget | null): boolean {
  return target !== null && 'closest' in target && typeof target.closest === 'function'
    ? Boolean(target.closest(usesArrows))
    : false
}

/** Where a key leads among the files; left is forward where people read from the right. */
export function stepOf(event: Key, isRightToLeft: boolean): 'previous' | 'next' | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented, target } = event
  if (altKey || ctrlKey || metaKey || shiftKey || defaultPrevented || isTaken(target)) return null
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null
  return (key === 'ArrowRight') === isRightToLeft ? 'previous' : 'next'
}
