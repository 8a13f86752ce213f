import { Button, Stack, TextInput } from '@mantine/core'
import type { UserView } from '@floe/contracts'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { useFormRules } from '../../../shared/form-rules.ts'
import { notifyError, notifySuccess } from '../../../shared/notify.ts'
import { useSession } from '../../../shared/session/session.ts'
import { updateOwnUser } from '../api/update-own-user.ts'
import { Section } from './Section.tsx'

export function InfoSection({ user }: { user: UserView }) {
  const { t } = useTranslation()
  const http = useHttp()
  const { changeUser } = useSession()
  const rules = useFormRules()
  const errorMessage = useErrorMessage()
  const form = useForm({
    initialValues: { username: user.username, email: user.email },
    validate: { username: rules.username, email: rules.email },
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => updateOwnUser(http, values),
    onSuccess: (changed) => {
      changeUser(changed)
      notifySuccess(t('account.info.saved'))
    },
    onError: (error) => {
      if (hasCode(error, 'username_taken')) form.setFieldError('username', errorMessage(error))
      else if (hasCode(error, 'email_taken')) form.setFieldError('email', errorMessage(error))
      else notifyError(errorMessage(error))
    },
  })
  return (
    <Section title={t('account.info.title')} hint={t('account.info.hint')}>
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="md" align="flex-start">
          <TextInput
            w="100%"
            label={t('auth.fields.username')}
            autoComplete="username"
            {...form.getInputProps('username')}
          />
          <TextInput
            w="100%"
            label={t('auth.fields.email')}
            type="email"
            autoComplete="email"
            {...form.getInputProps('email')}
          />
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
