import { useLayoutEffect, useRef } from 'react'
import { useHandler } from '../use-handler.ts'

/**
 * The focus goes back to what opened a dialog, and is lost where that was deleted: then it goes to
 * the heading above the list, so that keys go on from there.
 */
export function useFocusAfterDeletion(list: unknown) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isDue = useRef(false)
  useLayoutEffect(() => {
    if (isDue.current && document.activeElement === document.body) heading.current?.focus()
    isDue.current = false
  }, [list])
  const noteDeletion = useHandler(() => {
    isDue.current = true
  })
  return { heading, noteDeletion }
}
