import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaletteProps } from '../features/palette/Palette.tsx'
import { addRestOfCatalogue, hasAllTexts } from '../shared/i18n/i18n.ts'
import { whenIdle } from '../shared/prefetch.ts'
import { useSession } from '../shared/session/session.ts'
import { isPaletteKey, PALETTE_EVENT } from '../shared/shortcuts.ts'

/** Another dialog keeps the focus while it asks about something else. */
function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null
}

/** Opens the palette with Ctrl or Cmd and K. Its code comes with the first use, or once all is quiet. */
export function CommandPalette() {
  const { i18n } = useTranslation()
  const { user } = useSession()
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | null>(null)
  const [isOpen, setOpen] = useState(false)

  const load = useEffectEvent(() => {
    const texts = hasAllTexts(i18n) ? null : addRestOfCatalogue(i18n)
    Promise.all([import('../features/palette/Palette.tsx'), texts]).then(
      ([palette]) => setPalette(() => palette.Palette),
      // The next time that it is asked for it may come.
      () => setOpen(false),
    )
  })
  const open = useEffectEvent(() => {
    load()
    setOpen(true)
  })
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isPaletteKey(event)) return
    // The browser's own search has the same keys.
    event.preventDefault()
    if (isOpen) setOpen(false)
    else if (!isInDialog(event.target)) open()
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    const onEvent = () => open()
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener(PALETTE_EVENT, onEvent)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener(PALETTE_EVENT, onEvent)
    }
  }, [])
  const isSignedIn = user !== null
  useEffect(() => {
    if (isSignedIn) whenIdle(() => load())
  }, [isSignedIn])

  // Anew each time: keys go to its field at once, also right after it was closed.
  return isOpen && Palette && <Palette onClose={() => setOpen(false)} />
}
