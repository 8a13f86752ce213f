import { Skeleton, Text } from '@mantine/core'
import { visibleName } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { useErrorMessage } from '../api/error-message.ts'
import { TextDialog, type TextDialogParts } from './TextDialog.tsx'
import { TextForm } from './TextForm.tsx'
import { type EditedFile, readText } from './text-file.ts'
import classes from './TextDialog.module.css'

interface EditTextDialogProps {
  file: EditedFile
  /** Called with what the file is to hold, if that differs. */
  onContent: (content: string) => void
  onClose: () => void
}

/** Changes the text of a file. */
export function EditTextDialog({ file, onContent, onClose }: EditTextDialogProps) {
  const { t } = useTranslation()
  return (
    <TextDialog title={t('upload.text.edit', { name: visibleName(file.name) })} onClose={onClose}>
      {(dialog) => <FileText file={file} dialog={dialog} onContent={onContent} onClose={onClose} />}
    </TextDialog>
  )
}

function FileText(props: EditTextDialogProps & { dialog: TextDialogParts }) {
  const { file, dialog, onContent, onClose } = props
  const { t } = useTranslation()
  const errorMessage = useErrorMessage()
  const { data, error } = useQuery({
    queryKey: ['edited-text', file.key],
    queryFn: async () => readText(await file.load()),
    networkMode: 'always',
    gcTime: 0,
    staleTime: Infinity,
  })
  if (error) {
    const isRefused = error instanceof ApiError && error.code !== 'file_not_found'
    const message = isRefused ? errorMessage(error) : t('upload.failure.unreadable')
    return <Text role="alert">{message}</Text>
  }
  if (data === undefined) return <Skeleton className={classes.text ?? ''} />
  if (data === null) return <Text role="alert">{t('upload.text.noText')}</Text>
  return (
    <TextForm
      dialog={dialog}
      initialValues={{ name: file.name, text: data.text }}
      action={t('upload.completed.done')}
      onSubmit={({ text }) => {
        if (text !== data.text) onContent(data.toContent(text))
        onClose()
      }}
    />
  )
}
