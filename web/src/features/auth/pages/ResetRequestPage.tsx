import { Alert, Button, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm } from '@mantine/form'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { paths } from '../../../shared/paths.ts'
import { requestPasswordReset } from '../api/request-password-reset.ts'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'
import { BackToSignIn } from '../components/BackToSignIn.tsx'
import { useFirstFocus } from '../use-first-focus.ts'

/** Asks for the link to a new password. */
export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const errorMessage = useErrorMessage()
  const rules = useFormRules()
  const firstField = useFirstFocus()
  const form = useForm({ initialValues: { email: '' }, validate: { email: rules.email } })
  const submit = useMutation({
    mutationFn: ({ email }: typeof form.values) => requestPasswordReset(http, email.trim()),
  })

  if (submit.isSuccess) {
    return (
      <AuthOutcome
        icon={<IconMail size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.reset.sent')}
        text={t('auth.reset.sentHint')}
      >
        <PageTitle>{t('auth.reset.title')}</PageTitle>
        <BackToSignIn />
      </AuthOutcome>
    )
  }

  return (
    <AuthCard title={t('auth.reset.title')} hint={t('auth.reset.hint')}>
      <PageTitle>{t('auth.reset.title')}</PageTitle>
      <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
        <Stack gap="md">
          {submit.isError && (
            <Alert color="red" role="alert">
              {errorMessage(submit.error)}
            </Alert>
          )}
          <TextInput
            label={t('auth.fields.email')}
            type="email"
            autoComplete="email"
            ref={firstField}
            {...form.getInputProps('email')}
          />
          <Button type="submit" loading={submit.isPending} fullWidth mt="xs">
            {t('auth.reset.submit')}
          </Button>
          <Button component={PageLink} to={paths.signIn} variant="subtle" fullWidth>
            {t('auth.backToSignIn')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}
