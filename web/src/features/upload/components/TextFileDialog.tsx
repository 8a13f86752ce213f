import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { timeStamp } from '../../../shared/upload/pasted.ts'
import classes from './TextFileDialog.module.css'

interface TextFileDialogProps {
  /** What was pasted; empty to begin with nothing. */
  text: string
  /** The names of the files chosen so far. */
  takenNames: readonly string[]
  onClose: () => void
  onFile: (file: File) => void
}

/** Makes a file of a text. */
export function TextFileDialog({ text, takenNames, onClose, onFile }: TextFileDialogProps) {
  const { t } = useTranslation()
  const rules = useFormRules()
  const [isPasted] = useState(text !== '')
  const form = useForm({
    initialValues: {
      name: `${isPasted ? 'pasted-text' : 'text'}-${timeStamp(new Date())}.txt`,
      text,
    },
    validate: {
      name: (name) => {
        if (takenNames.includes(name)) return t('upload.text.nameTaken')
        return rules.required(name) ?? rules.fileName(name)
      },
      text: rules.required,
    },
  })

  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={isPasted ? t('upload.text.pasted') : t('upload.text.write')}
    >
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          onFile(new File([values.text], values.name, { type: 'text/plain' }))
          onClose()
        })}
      >
        <Stack gap="md">
          <TextInput
            label={t('upload.text.name')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('name')}
          />
          <Textarea
            label={t('upload.text.text')}
            classNames={{ input: classes.text }}
            autosize
            minRows={8}
            maxRows={16}
            data-autofocus
            {...form.getInputProps('text')}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit">{t('upload.text.add')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
