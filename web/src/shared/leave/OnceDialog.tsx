import type { ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLeaveQuestion } from './use-leave-question.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Dialog } from '../components/Dialog.tsx'

interface OnceDialogProps extends Omit<ModalProps, 'opened'> {
  title: string
  /** Says that it cannot be seen again; `null` where it can. */
  warning: string | null
  children: ReactNode
}

/**
 * Shows what nobody can see again. A press beside it does not close it, and leaving the page, by
 * the history of the browser as well, asks first.
 */
export function OnceDialog({ warning, closeOnEscape = true, ...props }: OnceDialogProps) {
  const { t } = useTranslation()
  const isOnce = warning !== null
  const { isAsked, leave, stay } = useLeaveQuestion(isOnce)
  return (
    <>
      <Dialog
        {...props}
        opened
        closeOnClickOutside={!isOnce}
        // Escape is for the question in front of it.
        closeOnEscape={closeOnEscape && !isAsked}
      />
      <ConfirmDialog
        opened={isAsked}
        title={props.title}
        text={warning}
        action={t('send.leave.action')}
        onConfirm={leave}
        onClose={stay}
      />
    </>
  )
}
