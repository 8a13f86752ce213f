import { Modal, type ModalProps } from '@mantine/core'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { useLayoutEffect } from 'react'

/**
 * A modal that gives the focus back to where it came from also when it leaves the page at once
 * instead of being closed.
 */
export function Dialog(props: ModalProps) {
  useReturnedFocus(props.opened)
  useStillPage(props.opened)
  return <Modal {...props} lockScroll={false} />
}

let holds = 0

/**
 * The page behind does not scroll. Mantine's own lock writes a style sheet, for which the browser
 * works out all styles of the page anew: on a phone that takes longer than all else.
 */
function useStillPage(isOpened: boolean) {
  useLayoutEffect(() => {
    if (!isOpened) return undefined
    const { documentElement: root, body } = document
    if (holds === 0) {
      body.style.paddingRight = `${window.innerWidth - root.clientWidth}px`
      root.style.overflow = 'hidden'
    }
    holds += 1
    return () => {
      holds -= 1
      if (holds > 0) return
      body.style.paddingRight = ''
      root.style.overflow = ''
    }
  }, [isOpened])
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
