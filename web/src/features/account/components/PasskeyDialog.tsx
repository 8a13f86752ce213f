import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { DialogFoot } from '../../../shared/components/DialogFoot.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import type { Confirmation } from '../confirmation.ts'

interface PasskeyDialogProps {
  title: string
  text?: string
  action: string
  color?: 'red'
  /** What the name is at first; absent where it is not asked for. */
  name?: string
  asksPassword: boolean
  change: (input: { name: string; confirmation: Confirmation }) => Promise<void>
  onClose: () => void
}

/** Asks for a name, the password, or both, ahead of a change to passkeys. */
export function PasskeyDialog(props: PasskeyDialogProps) {
  const { title, text, action, color, name, asksPassword, change, onClose } = props
  const { t } = useTranslation()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const asksName = name !== undefined
  const form = useForm({
    initialValues: { name: name ?? '', password: '' },
    validate: {
      name: (value) => (asksName ? rules.required(value.trim()) : null),
      password: (value) => (asksPassword ? rules.required(value) : null),
    },
  })
  const submit = useMutation({
    mutationFn: (values: typeof form.values) =>
      change({
        name: values.name.trim(),
        confirmation: asksPassword ? { password: values.password } : {},
      }),
    onError: (error) => {
      if (hasCode(error, 'wrong_password')) form.setFieldError('password', errorMessage(error))
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form noValidate onSubmit={form.onSubmit((values) => submit.mutate(values))}>
        <Stack gap="md">
          {text !== undefined && <Text size="sm">{text}</Text>}
          {submit.isError && !hasCode(submit.error, 'wrong_password') && (
            <Alert color="red" role="alert">
              {errorMessage(submit.error)}
            </Alert>
          )}
          {asksName && (
            <TextInput
              label={t('account.passkeys.name')}
              maxLength={60}
              data-autofocus
              {...form.getInputProps('name')}
            />
          )}
          {asksPassword && (
            <PasswordField
              label={t('auth.fields.password')}
              autoComplete="current-password"
              {...(!asksName && { 'data-autofocus': true })}
              {...form.getInputProps('password')}
            />
          )}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={submit.isPending} {...(color && { color })}>
              {action}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}
