import { type RefObject, useEffect, useRef } from 'react'

/**
 * For the field where typing begins. It takes the focus after the page was painted: taken while
 * the page is being put together, the browser would have to lay it out twice.
 */
export function useFirstFocus(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    let painted: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      painted = setTimeout(() => {
        // A visitor who was quicker keeps the focus where it is.
        if (document.activeElement === document.body) field.current?.focus()
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(painted)
    }
  }, [])
  return field
}
