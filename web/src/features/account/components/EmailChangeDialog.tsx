import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import type { UserView } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { Dialog } from '../../../shared/components/Dialog.tsx'
import { DialogFoot } from '../../../shared/components/DialogFoot.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'

interface EmailChangeDialogProps {
  email: string
  /** By the code of an authenticator where there is no password. */
  asksFor: 'password' | 'code'
  change: (proof: { password: string } | { totp: string }) => Promise<UserView>
  onDone: (user: UserView) => void
  /** The server refused what was typed ahead of the dialog. */
  onRefused: (error: Error) => void
  onClose: () => void
}

/** Asks who it is ahead of a change of the address. */
export function EmailChangeDialog(props: EmailChangeDialogProps) {
  const { email, asksFor, change, onDone, onRefused, onClose } = props
  const { t } = useTranslation()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const form = useForm({ initialValues: { proof: '' }, validate: { proof: rules.required } })
  const confirm = useMutation({
    mutationFn: ({ proof }: typeof form.values) =>
      change(asksFor === 'password' ? { password: proof } : { totp: proof.trim() }),
    onSuccess: onDone,
    onError: (error) => {
      if (isAboutProof(error)) form.setFieldError('proof', errorMessage(error))
      if (hasCode(error, 'username_taken', 'email_taken')) onRefused(error)
    },
  })

  return (
    <Dialog opened onClose={onClose} title={t('account.info.changeEmail')}>
      <form noValidate onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <Stack gap="md">
          <Text size="sm">{t('account.info.changeEmailText', { email })}</Text>
          {confirm.isError && !isAboutProof(confirm.error) && (
            <Alert color="red" role="alert">
              {errorMessage(confirm.error)}
            </Alert>
          )}
          {asksFor === 'password' ? (
            <PasswordField
              label={t('auth.fields.password')}
              autoComplete="current-password"
              data-autofocus
              {...form.getInputProps('proof')}
            />
          ) : (
            <TextInput
              label={t('account.totp.code')}
              description={t('account.totp.anyCodeHint')}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={64}
              data-autofocus
              {...form.getInputProps('proof')}
            />
          )}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {t('account.info.changeEmail')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Dialog>
  )
}

function isAboutProof(error: Error): boolean {
  return hasCode(error, 'wrong_password', 'invalid_totp')
}
