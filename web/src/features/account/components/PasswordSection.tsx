import { Button, Stack } from '@mantine/core'
import type { UserView } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { queryKeys } from '../../../shared/query-keys.ts'
import { useSession } from '../../../shared/session/session.ts'
import { changePassword } from '../api/change-password.ts'
import { Section } from './Section.tsx'

export function PasswordSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const queryClient = useQueryClient()
  const { changeUser } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const hasPassword = user.hasPassword !== false
  const form = useForm({
    initialValues: { oldPassword: '', password: '' },
    validate: {
      oldPassword: (value) => (hasPassword ? rules.required(value) : null),
      password: rules.password,
    },
  })
  const save = useMutation({
    mutationFn: ({ oldPassword, password }: typeof form.values) =>
      changePassword(http, hasPassword ? { oldPassword, password } : { password }),
    onSuccess: () => {
      form.reset()
      changeUser({ ...user, hasPassword: true })
      notifySuccess(t(hasPassword ? 'account.password.saved' : 'account.password.isSet'))
      // All of them have ended, and this device is in a new one.
      return queryClient.invalidateQueries({ queryKey: queryKeys.sessions })
    },
    onError: (error) => {
      if (hasCode(error, 'wrong_password')) form.setFieldError('oldPassword', errorMessage(error))
      else if (hasCode(error, 'password_too_common', 'password_too_short')) {
        form.setFieldError('password', errorMessage(error))
      } else notifyError(errorMessage(error))
    },
  })
  return (
    <Section
      title={t('account.password.title')}
      hint={hasPassword ? t('account.password.hint') : t('account.password.hintUnset')}
    >
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="md" align="flex-start">
          {hasPassword && (
            <PasswordField
              w="100%"
              label={t('account.password.old')}
              autoComplete="current-password"
              {...form.getInputProps('oldPassword')}
            />
          )}
          <PasswordField
            w="100%"
            label={t('account.password.new')}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={save.isPending}>
            {t(hasPassword ? 'account.password.submit' : 'account.password.set')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
