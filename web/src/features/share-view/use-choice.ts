import { useCallback, useMemo, useState } from 'react'

/** The files that somebody chooses, in all folders of a share. */
export interface Choice {
  /** Their ids; `null` while nobody is choosing. */
  chosen: ReadonlySet<string> | null
  toggle: (fileId: string) => void
  start: () => void
  stop: () => void
}

const none: ReadonlySet<string> = new Set()

export function useChoice(): Choice {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const toggle = useCallback((fileId: string) => {
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(fileId)) after.add(fileId)
      return after
    })
  }, [])
  return useMemo(
    () => ({
      chosen,
      toggle,
      start: () => setChosen(none),
      stop: () => setChosen(null),
    }),
    [chosen, toggle],
  )
}
