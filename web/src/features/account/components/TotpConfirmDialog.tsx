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

interface TotpConfirmDialogProps<T> {
  title: string
  text: string
  codeHint: string
  action: string
  color?: 'red'
  hasPassword: boolean
  change: (confirmation: Confirmation & { code: string }) => Promise<T>
  onDone: (result: T) => void
  onError: (error: Error) => void
  onClose: () => void
}

/** Asks for the password and a code ahead of a change to the second factor. */
export function TotpConfirmDialog<T>(props: TotpConfirmDialogProps<T>) {
  const { title, text, codeHint, action, color, hasPassword, change } = props
  const { t } = useTranslation()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (hasPassword ? rules.required(value) : null),
      code: rules.required,
    },
  })
  const confirm = useMutation({
    mutationFn: ({ password, code }: typeof form.values) =>
      change({ code: code.trim(), ...(hasPassword && { password }) }),
    onSuccess: props.onDone,
    onError: (error) => {
      if (hasCode(error, 'wrong_password')) form.setFieldError('password', errorMessage(error))
      if (hasCode(error, 'invalid_totp')) form.setFieldError('code', errorMessage(error))
      props.onError(error)
    },
  })
  const isFieldError = hasCode(confirm.error, 'wrong_password', 'invalid_totp')

  return (
    <Dialog opened onClose={props.onClose} title={title}>
      <form noValidate onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <Stack gap="md">
          <Text size="sm">{text}</Text>
          {confirm.isError && !isFieldError && (
            <Alert color="red" role="alert">
              {errorMessage(confirm.error)}
            </Alert>
          )}
          {hasPassword && (
            <PasswordField
              label={t('auth.fields.password')}
              autoComplete="current-password"
              data-autofocus
              {...form.getInputProps('password')}
            />
          )}
          <TextInput
            label={t('account.totp.code')}
            description={codeHint}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            {...(!hasPassword && { 'data-autofocus': true })}
            {...form.getInputProps('code')}
          />
          <DialogFoot>
            <Button variant="default" onClick={props.onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={confirm.isPending} {...(color && { color })}>
              {action}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}
