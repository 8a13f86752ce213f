import { Button } from '@mantine/core'
import { UNDO_KEYS } from '../shared/shortcuts.ts'
import classes from './UndoMessage.module.css'

interface UndoMessageProps {
  message: string
  label: string
  onUndo: () => void
}

/** What was done, beside the way back. */
export function UndoMessage({ message, label, onUndo }: UndoMessageProps) {
  return (
    <div className={classes.message}>
      <span className={classes.text}>{message}</span>
      <Button variant="subtle" size="compact-sm" aria-keyshortcuts={UNDO_KEYS} onClick={onUndo}>
        {label}
      </Button>
    </div>
  )
}
