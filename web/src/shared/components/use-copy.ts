import { useState } from 'react'
import { copyText } from '../clipboard.ts'

const SHOW_COPIED_MS = 2000

/** Copies a text; `copied` for the moment in which a button says so. */
export function useCopy(text: string): { copied: boolean; copy: () => Promise<void> } {
  const [copied, setCopied] = useState(false)
  return {
    copied,
    async copy() {
      if (!(await copyText(text))) return
      setCopied(true)
      setTimeout(() => setCopied(false), SHOW_COPIED_MS)
    },
  }
}
