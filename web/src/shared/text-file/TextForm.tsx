import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { DialogFoot } from '../components/DialogFoot.tsx'
import { useFormRules } from '../form-rules.ts'
import type { TextDialogParts } from './TextDialog.tsx'
import classes from './TextDialog.module.css'

interface TextValues {
  name: string
  text: string
}

interface TextFormProps {
  dialog: TextDialogParts
  initialValues: TextValues
  /** Names that a new file must not have. Without them the file is an old one that keeps its name. */
  takenNames?: readonly string[]
  /** What the button says that ends it. */
  action: string
  onSubmit: (values: TextValues) => void
}

/** The text of a file, and the name of a new one. */
export function TextForm(props: TextFormProps) {
  const { dialog, initialValues, takenNames, action, onSubmit } = props
  const { t } = useTranslation()
  const rules = useFormRules()
  const form = useForm<TextValues>({
    initialValues,
    onValuesChange: ({ text }) => dialog.setChanged(text !== initialValues.text),
    ...(takenNames && {
      validate: {
        name: (name) => {
          if (takenNames.includes(name)) return t('upload.text.nameTaken')
          return rules.required(name) ?? rules.fileName(name)
        },
        text: rules.required,
      },
    }),
  })

  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit)}>
      <Stack gap="md">
        {takenNames && (
          <TextInput
            label={t('upload.text.name')}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('name')}
          />
        )}
        <Textarea
          label={t('upload.text.text')}
          classNames={{ input: classes.text }}
          dir="auto"
          // The text of a file comes after the dialog has chosen where to begin.
          autoFocus
          data-autofocus
          {...form.getInputProps('text')}
        />
        <DialogFoot>
          <Button variant="default" onClick={dialog.close}>
            {t('common.cancel')}
          </Button>
          <Button type="submit">{action}</Button>
        </DialogFoot>
      </Stack>
    </form>
  )
}
