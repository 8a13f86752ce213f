import type { FileScan } from '@floe/contracts'
import { useTranslation } from 'react-i18next'
import { isRemoved, scanNote } from '../../../shared/scan-note.ts'
import classes from './ScanNote.module.css'

/** Beside a file that a virus scanner found something in, or has not seen. */
export function ScanNote({ scan }: { scan: FileScan | null }) {
  const { t } = useTranslation()
  const note = scanNote(t, scan)
  if (note === null) return null
  return (
    <span className={classes.note} data-removed={isRemoved(scan) || undefined}>
      <bdi>{note}</bdi>
    </span>
  )
}
