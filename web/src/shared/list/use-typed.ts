import { startTransition, useOptimistic } from 'react'

/**
 * A text that the address holds: what is typed shows at once, the address and what is made of it
 * follow as fast as the device can. Without it, letters typed before they did would be lost.
 */
export function useTyped(text: string, onChange: (text: string) => void) {
  const [shown, setShown] = useOptimistic(text)
  const type = (next: string) =>
    startTransition(() => {
      setShown(next)
      onChange(next)
    })
  return [shown, type] as const
}
