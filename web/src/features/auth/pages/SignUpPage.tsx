import { Alert, Button, Stack, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.layer.css'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconHourglass } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { hasCode } from '../../../shared/api/api-error.ts'
import { useErrorMessage } from '../../../shared/api/error-message.ts'
import { useHttp } from '../../../shared/api/http-context.ts'
import { PageLink } from '../../../shared/components/PageLink.tsx'
import { PageTitle } from '../../../shared/components/PageTitle.tsx'
import { PasswordField } from '../../../shared/components/PasswordField.tsx'
import { useFormRules } from '../../../shared/form-rules.ts'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/session.ts'
import { signUp } from '../api/sign-up.ts'
import { AuthCard } from '../components/AuthCard.tsx'
import { AuthOutcome } from '../components/AuthOutcome.tsx'
import { BackToSignIn } from '../components/BackToSignIn.tsx'
import { useFirstFocus } from '../use-first-focus.ts'

export function Page() {
  const { t } = useTranslation()
  const http = useHttp()
  const { signedIn, hasAccounts } = useSession()
  const navigate = useNavigate()
  const errorMessage = useErrorMessage()
  const rules = useFormRules()
  const firstField = useFirstFocus()
  const form = useForm({
    initialValues: { username: '', email: '', password: '' },
    validate: { username: rules.username, email: rules.email, password: rules.password },
  })
  const submit = useMutation({
    mutationFn: (values: typeof form.values) => signUp(http, values),
    onSuccess: (user) => {
      // Only the first account of an installation is an administrator from the start.
      const landing = user.isAdmin ? paths.adminIntro : paths.upload
      signedIn(user, landing)
      void navigate(landing, { replace: true })
    },
    onError: (error) => {
      if (hasCode(error, 'username_taken')) form.setFieldError('username', errorMessage(error))
      if (hasCode(error, 'email_taken', 'email_domain_refused'))
        form.setFieldError('email', errorMessage(error))
    },
  })
  const fieldErrors = ['username_taken', 'email_taken', 'email_domain_refused'] as const
  const isFieldError = hasCode(submit.error, ...fieldErrors)

  if (hasCode(submit.error, 'account_waiting')) {
    return (
      <AuthOutcome
        icon={<IconHourglass size={30} stroke={1.6} aria-hidden="true" />}
        title={t('auth.signUp.waiting')}
        text={t('auth.signUp.waitingText')}
      >
        <PageTitle>{t('auth.signUp.title')}</PageTitle>
        <BackToSignIn />
      </AuthOutcome>
    )
  }

  return (
    <AuthCard
      title={t('auth.signUp.title')}
      hint={
        <>
          {t('auth.signUp.haveAccount')}{' '}
          <PageLink to={paths.signIn}>{t('auth.signUp.toSignIn')}</PageLink>
        </>
      }
    >
      <PageTitle>{t('auth.signUp.title')}</PageTitle>
      <form onSubmit={form.onSubmit((values) => submit.mutate(values))} noValidate>
        <Stack gap="md">
          {submit.isError && !isFieldError && (
            <Alert color="red" role="alert">
              {errorMessage(submit.error)}
            </Alert>
          )}
          {!hasAccounts && <Alert variant="light">{t('auth.signUp.firstAccount')}</Alert>}
          <Fields form={form} firstField={firstField} />
          <Button type="submit" loading={submit.isPending} fullWidth mt="xs">
            {t('auth.signUp.submit')}
          </Button>
        </Stack>
      </form>
    </AuthCard>
  )
}

interface FieldsProps {
  form: UseFormReturnType<{ username: string; email: string; password: string }>
  firstField: ReturnType<typeof useFirstFocus>
}

function Fields({ form, firstField }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        label={t('auth.fields.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        ref={firstField}
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('auth.fields.email')}
        type="email"
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('auth.fields.password')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </>
  )
}
