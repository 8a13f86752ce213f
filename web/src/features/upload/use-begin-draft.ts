import { useMutation } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { FileEntry } from '../../shared/upload/file-entry.ts'
import type { DraftEncryption } from './draft-actions.ts'
import type { UploadActions } from './use-upload-actions.ts'

export interface BeginDraftOptions {
  entries: readonly FileEntry[]
  /** The token of the link the files are sent through. */
  reverseShare: string | null
  encryption: DraftEncryption | null
  actions: UploadActions
}

/** Opens a draft for the chosen files, and sends what was chosen until then. */
export function useBeginDraft({ entries, reverseShare, encryption, actions }: BeginDraftOptions) {
  // What is removed, added or left while the draft is opened: nothing of that is sent by mistake.
  const chosen = useRef(entries)
  useLayoutEffect(() => {
    chosen.current = entries
    return () => void (chosen.current = [])
  }, [entries])
  const { mutate, error } = useMutation({
    mutationFn: () => actions.openDraft(reverseShare, encryption),
    // Files that are chosen offline wait for the connection.
    networkMode: 'online',
    onSuccess: (opened) =>
      actions.fillDraft({ ...opened, reverseShare, chosen: () => chosen.current }),
  })
  useEffect(() => mutate(), [mutate])
  return { error, tryAgain: () => mutate() }
}
