import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { SHORTCUTS_EVENT } from '../shared/shortcuts.ts'

const Nothing = (): ReactNode => null

const modifiers = new Set(['Shift', 'Control', 'Meta', 'Alt'])

// Nobody misses the shortcuts while the server is away.
const Host = lazy(async (): Promise<{ default: ComponentType<{ first: Event }> }> => {
  const host = await import('../features/shortcuts/ShortcutsHost.tsx').catch(() => null)
  return { default: host?.ShortcutsHost ?? Nothing }
})

/** Reacts to keys. The code for it is loaded with the first one, and reacts to that one too. */
export function Shortcuts() {
  const [first, setFirst] = useState<Event | null>(null)
  useEffect(() => {
    const controller = new AbortController()
    const load = (event: Event) => {
      // Only what is pressed along with it is meant.
      if (event instanceof KeyboardEvent && modifiers.has(event.key)) return
      controller.abort()
      setFirst(event)
    }
    for (const type of ['keydown', SHORTCUTS_EVENT]) {
      window.addEventListener(type, load, { signal: controller.signal })
    }
    return () => controller.abort()
  }, [])
  return (
    first && (
      <Suspense>
        <Host first={first} />
      </Suspense>
    )
  )
}
