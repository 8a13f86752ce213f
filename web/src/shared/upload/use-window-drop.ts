import { type RefObject, useEffect, useState } from 'react'

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

// A dialog in front asks about something else.
const isBehindDialog = () => document.querySelector('[role="dialog"]') !== null

/**
 * Hands files that are let go anywhere in the window to `zone`, as if they had been dropped there.
 * Returns whether files are being dragged over the window.
 */
export function useWindowDrop(zone: RefObject<HTMLElement | null>): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const enter = (event: DragEvent) => {
      const isWelcome = carriesFiles(event) && !isBehindDialog()
      // Without this the browser would open what is let go in place of the page.
      if (isWelcome) event.preventDefault()
      setOver(isWelcome)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      // Between two elements of the page it is one of them; some browsers never name it, and the
      // next `dragover` puts that right.
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      const { target, dataTransfer } = event
      if (!zone.current || !carriesFiles(event) || isBehindDialog()) return
      // The place for files took it by itself.
      if (event.defaultPrevented) return
      if (target instanceof Node && zone.current.contains(target)) return
      event.preventDefault()
      zone.current.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }
    const controller = new AbortController()
    const { signal } = controller
    window.addEventListener('dragenter', enter, { signal })
    window.addEventListener('dragover', enter, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => controller.abort()
  }, [zone])
  return isOver
}

/** Keeps files that are let go beside the places for them from replacing the page. */
export function useStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !carriesFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    }
    const controller = new AbortController()
    const { signal } = controller
    window.addEventListener('dragover', refuse, { signal })
    window.addEventListener('drop', refuse, { signal })
    return () => controller.abort()
  }, [])
}
