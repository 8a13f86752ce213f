import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { useLeaveQuestion } from '../leave/use-leave-question.ts'

export interface TextDialogParts {
  /** Tells whether closing would lose something. */
  setChanged: (isChanged: boolean) => void
  /** Closes, or asks first. */
  close: () => void
}

interface TextDialogProps {
  title: string
  onClose: () => void
  children: (parts: TextDialogParts) => ReactNode
}

/** A dialog to write in. What was written is not lost without a question. */
export function TextDialog({ title, onClose, children }: TextDialogProps) {
  const { t } = useTranslation()
  const [isChanged, setChanged] = useState(false)
  const [isClosing, setClosing] = useState(false)
  const leaving = useLeaveQuestion(isChanged)
  const isAsking = isClosing || leaving.isAsked
  const close = () => (isChanged ? setClosing(true) : onClose())

  return (
    <>
      <Dialog opened onClose={close} closeOnEscape={!isAsking} size="xl" title={title}>
        {children({ setChanged, close })}
      </Dialog>
      {/* Were it there before, the Escape key that brings it would close it as well. */}
      {isAsking && (
        <ConfirmDialog
          opened
          title={t('edit.discard.title')}
          text={t('upload.text.discardText')}
          action={t('edit.discard.action')}
          // The page stays also where somebody went back: on phones this is how dialogs are closed.
          onConfirm={onClose}
          onClose={() => {
            leaving.stay()
            setClosing(false)
          }}
        />
      )}
    </>
  )
}
