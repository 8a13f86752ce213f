import { useCallback, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { requestNotice } from './notify.ts'

/**
 * Tells what was just done and offers to take it back, until the next thing is done here or the
 * part of the page that did it is left.
 */
export function useUndo() {
  const { t } = useTranslation()
  const id = useId()
  const offers = useRef(0)
  const label = t('undo.action')

  const withdraw = useCallback(() => {
    if (offers.current > 0) requestNotice({ hide: `${id}${offers.current}` })
  }, [id])

  const offer = useCallback(
    (message: string, run: () => void) => {
      withdraw()
      // Each stays for a while of its own, which a notice that only changes would not.
      offers.current += 1
      const undo = { label, run }
      requestNotice({ show: { id: `${id}${offers.current}`, message, color: 'ice', undo } })
    },
    [id, label, withdraw],
  )

  useEffect(() => withdraw, [withdraw])
  return { offer, withdraw }
}
