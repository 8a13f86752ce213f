import { useContext, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { LeaveGateContext } from './LeaveGate.tsx'
import { useLeaveWarning } from './use-leave-warning.ts'

export interface LeaveQuestion {
  isAsked: boolean
  leave(): void
  stay(): void
}

/**
 * Holds up what leads away from the page, by a link or the history of the browser, until it is
 * decided whether to leave.
 */
export function useLeaveQuestion(isNeeded: boolean): LeaveQuestion {
  const navigate = useNavigate()
  const holds = useContext(LeaveGateContext)
  const isDecided = useRef(false)
  const [goOn, setGoOn] = useState<(() => void) | null>(null)
  useLeaveWarning(isNeeded)

  useEffect(() => {
    if (!isNeeded) return
    isDecided.current = false
    const place = placeInHistory()
    let isReturning = false

    const holdAddress = (to: string) => {
      if (isDecided.current || !isElsewhere(to)) return false
      setGoOn(() => () => void navigate(to))
      return true
    }
    const holdLink = (event: MouseEvent) => {
      if (holds.current.at(-1) !== hold) return
      const to = destinationOf(event)
      if (to === null || !holdAddress(to)) return
      event.preventDefault()
      event.stopPropagation()
    }
    const holdHistory = (event: PopStateEvent) => {
      const steps = placeInHistory() - place
      if (isDecided.current) return
      if (!isReturning && steps === 0) return
      event.stopImmediatePropagation()
      isReturning = !isReturning
      if (!isReturning) return
      window.history.go(-steps)
      setGoOn(() => () => window.history.go(steps))
    }
    const hold = { history: holdHistory, address: holdAddress }
    // Before the link follows it.
    document.addEventListener('click', holdLink, { capture: true })
    holds.current = [...holds.current, hold]
    return () => {
      document.removeEventListener('click', holdLink, { capture: true })
      holds.current = holds.current.filter((one) => one !== hold)
    }
  }, [isNeeded, navigate, holds])

  return {
    isAsked: goOn !== null,
    leave: () => {
      isDecided.current = true
      setGoOn(null)
      goOn?.()
    },
    stay: () => setGoOn(null),
  }
}

/** The router counts the entries that it makes. */
function placeInHistory(): number {
  const state: unknown = window.history.state
  const isCounted = typeof state === 'object' && state !== null && 'idx' in state
  return isCounted && typeof state.idx === 'number' ? state.idx : 0
}

/** An address of this site that a click opens in this tab. */
function destinationOf(event: MouseEvent): string | null {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || (link.target !== '' && link.target !== '_self') || link.hasAttribute('download')) {
    return null
  }
  const { origin, pathname, search, hash } = new URL(link.href)
  return origin === window.location.origin ? pathname + search + hash : null
}

/** Another page, not another place on this one. */
function isElsewhere(to: string): boolean {
  const { pathname, search } = new URL(to, window.location.href)
  return pathname !== window.location.pathname || search !== window.location.search
}
