import { useLeaveQuestion } from '../leave/use-leave-question.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

interface LeaveDialogProps {
  /** Something would be lost now. */
  isNeeded: boolean
  title: string
  text: string
  action: string
}

/** Asks before somebody leaves what would be lost with the page. */
export function LeaveDialog({ isNeeded, ...words }: LeaveDialogProps) {
  const question = useLeaveQuestion(isNeeded)
  return (
    <ConfirmDialog
      opened={question.isAsked}
      {...words}
      onConfirm={question.leave}
      onClose={question.stay}
    />
  )
}
