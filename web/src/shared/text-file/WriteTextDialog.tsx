import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { timeStamp } from '../upload/pasted.ts'
import { TextDialog } from './TextDialog.tsx'
import { TextForm } from './TextForm.tsx'
import { toTextFile } from './text-file.ts'

interface WriteTextDialogProps {
  /** What was pasted; empty to begin with nothing. */
  text: string
  /** The names of the files chosen so far. */
  takenNames: readonly string[]
  onClose: () => void
  onFile: (file: File) => void
}

/** Makes a file of a text. */
export function WriteTextDialog({ text, takenNames, onClose, onFile }: WriteTextDialogProps) {
  const { t } = useTranslation()
  const isPasted = text !== ''
  const [name] = useState(() => `${isPasted ? 'pasted-text' : 'text'}-${timeStamp(new Date())}.txt`)
  return (
    <TextDialog
      title={isPasted ? t('upload.text.pasted') : t('upload.text.write')}
      onClose={onClose}
    >
      {(dialog) => (
        <TextForm
          dialog={dialog}
          initialValues={{ name, text }}
          takenNames={takenNames}
          action={t('upload.text.add')}
          onSubmit={(values) => {
            onFile(toTextFile(values.name, values.text))
            onClose()
          }}
        />
      )}
    </TextDialog>
  )
}
