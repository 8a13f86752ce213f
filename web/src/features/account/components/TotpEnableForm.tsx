import { Button, Stack } from '@mantine/core'
import type { TotpEnrolment } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { notifyError } from '../../../shared/notify.ts'
import { enableTotp } from '../api/enable-totp.ts'
import type { Confirmation } from '../confirmation.ts'

interface TotpEnableFormProps {
  hasPassword: boolean
  onBegun: (enrolment: TotpEnrolment, confirmation: Confirmation) => void
  onError: (error: Error) => void
}

/** Begins to set up the second factor, with the password where there is one. */
export function TotpEnableForm({ hasPassword, onBegun, onError }: TotpEnableFormProps) {
  const { t } = useTranslation()
  const http = useHttp()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (hasPassword ? rules.required(value) : null) },
  })
  const begin = useMutation({
    mutationFn: async ({ password }: typeof form.values) => {
      const confirmation = hasPassword ? { password } : {}
      return { confirmation, enrolment: await enableTotp(http, confirmation) }
    },
    onSuccess: ({ enrolment, confirmation }) => {
      form.reset()
      onBegun(enrolment, confirmation)
    },
    onError: (error) => {
      if (hasCode(error, 'wrong_password')) form.setFieldError('password', errorMessage(error))
      else notifyError(errorMessage(error))
      onError(error)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit((values) => begin.mutate(values))}>
      <Stack gap="md" align="flex-start">
        {hasPassword && (
          <PasswordField
            w="100%"
            label={t('auth.fields.password')}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
        )}
        <Button type="submit" loading={begin.isPending}>
          {t('account.totp.enable')}
        </Button>
      </Stack>
    </form>
  )
}
