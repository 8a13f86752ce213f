import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that stays the same from rendering to rendering and does what the latest one says: for
 * rows and parts that are remembered, and drawn again where anything handed to them is another.
 */
export function useHandler<Args extends unknown[]>(
  handler: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(handler)
  useLayoutEffect(() => {
    latest.current = handler
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
