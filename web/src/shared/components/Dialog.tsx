import { Modal, type ModalProps } from '@mantine/core'
import { useLayoutEffect } from 'react'

/**
 * A modal that gives the focus back to where it came from also when it leaves the page at once
 * instead of being closed.
 */
export function Dialog(props: ModalProps) {
  useReturnedFocus(props.opened)
  return <Modal {...props} />
}

// Before the next dialog of a row is there, so that the last of them returns to the very start.
function useReturnedFocus(isOpened: boolean) {
  useLayoutEffect(() => {
    if (!isOpened) return undefined
    const origin = document.activeElement
    return () => {
      if (origin instanceof HTMLElement && origin.isConnected) origin.focus({ preventScroll: true })
    }
  }, [isOpened])
}
