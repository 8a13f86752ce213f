import { createContext, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'

/** Holds up what leads away from a page. */
export interface LeaveHold {
  /** Asked before the router follows the history of the browser. */
  history: (event: PopStateEvent) => void
  /** Whether the way to an address of this site is held up; it is then gone once that is decided. */
  address: (to: string) => boolean
}

/** A dialog that holds up stands above the page under it, which holds up again once it is gone. */
export const LeaveGateContext = createContext<RefObject<LeaveHold[]>>({ current: [] })

/**
 * Stands within the router and hears of the history before it: a window calls its listeners in the
 * order they came, and those of a child come first.
 */
export function LeaveGate({ children }: { children: ReactNode }) {
  const holds = useRef<LeaveHold[]>([])
  useLayoutEffect(() => {
    const listen = (event: PopStateEvent) => holds.current.at(-1)?.history(event)
    window.addEventListener('popstate', listen)
    return () => window.removeEventListener('popstate', listen)
  }, [])
  return <LeaveGateContext value={holds}>{children}</LeaveGateContext>
}
